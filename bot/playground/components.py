"""Components of messages and fields of forms: what Discord lets through, and the ids it gives them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from bot.playground import limits
from bot.playground.refusals import Json, Place, Problems

ROW, BUTTON, STRING, TEXT_INPUT, USER, ROLE, MENTIONABLE, CHANNEL = range(1, 9)
SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR = range(9, 15)
CONTAINER, LABEL, UPLOAD = 17, 18, 19
RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX = 21, 22, 23

MENUS = (STRING, USER, ROLE, MENTIONABLE, CHANNEL)
LINK, PREMIUM = 5, 6
TOP_V1 = frozenset({ROW})
TOP_V2 = frozenset({ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR, CONTAINER})
IN_CONTAINER = TOP_V2 - {CONTAINER}
IN_FORM = frozenset({LABEL, TEXT, ROW})
FIELDS = frozenset({TEXT_INPUT, *MENUS, UPLOAD, RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX})
GROUPS = (RADIO_GROUP, CHECKBOX_GROUP)

_NESTED = ("components", "accessory", "component")


def walk(components: Any) -> Iterator[Json]:
    """Every component in here, nested ones too, each before what it holds."""
    for _, component in walk_places(components, ()):
        yield component


def walk_places(components: Any, place: Place) -> Iterator[tuple[Place, Json]]:
    """Every component with its place in the body."""
    for index, component in enumerate(components if isinstance(components, list) else ()):
        yield from _walk_one(component, (*place, index))


def _walk_one(component: Any, place: Place) -> Iterator[tuple[Place, Json]]:
    if not isinstance(component, dict):
        return
    yield place, component
    for key in _NESTED:
        inner = component.get(key)
        if isinstance(inner, list):
            yield from walk_places(inner, (*place, key))
        elif isinstance(inner, dict):
            yield from _walk_one(inner, (*place, key))


def find(components: Any, custom_id: str) -> Json | None:
    """The component of this custom_id."""
    return next((component for component in walk(components) if component.get("custom_id") == custom_id), None)


def value_range(component: Json) -> tuple[int, int]:
    """How many values a menu or an upload takes, at least and at most; one where it does not say."""
    low, high = component.get("min_values"), component.get("max_values")
    return (1 if low is None else low, 1 if high is None else high)


def number(components: list[Json]) -> None:
    """Give every component without an id one that is free, from 1, as the server does."""
    taken = {component["id"] for component in walk(components) if component.get("id")}
    following = 1
    for component in walk(components):
        if not component.get("id"):
            while following in taken:
                following += 1
            component["id"] = following
            taken.add(following)


def check_message(components: Any, *, v2: bool, problems: Problems, place: Place = ("components",)) -> None:
    """Note what is wrong with a message's components."""
    if not _is_list(components, place, problems):
        return
    check = _Check(problems)
    allowed = TOP_V2 if v2 else TOP_V1
    for index, component in enumerate(components):
        check.component(component, (*place, index), allowed)
    if v2:
        check_totals(components, place, problems)
    else:
        problems.count(place, len(components), 0, limits.ROWS)
    check_duplicates(components, place, problems)


def check_totals(components: list[Json], place: Place, problems: Problems) -> None:
    """Note more components or more text than a V2 message holds, nested ones counted in."""
    found = list(walk(components))
    if len(found) > limits.COMPONENTS_V2:
        message = f"Must have {limits.COMPONENTS_V2} or fewer components in total."
        problems.add(place, "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", message)
    characters = sum(len(str(component.get("content", ""))) for component in found if component.get("type") == TEXT)
    if characters > limits.TEXT_V2:
        message = f"Must have {limits.TEXT_V2} or fewer characters of text in total."
        problems.add(place, "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", message)


def check_duplicates(components: list[Json], place: Place, problems: Problems) -> None:
    """Note custom_ids and ids that are there twice."""
    seen: dict[str, set[object]] = {"custom_id": set(), "id": set()}
    codes = {"custom_id": "COMPONENT_CUSTOM_ID_DUPLICATED", "id": "COMPONENT_ID_DUPLICATED"}
    for where, component in walk_places(components, place):
        for key, taken in seen.items():
            value = component.get(key)
            if value is None or value == 0:
                continue
            if value in taken:
                problems.add((*where, key), codes[key], f"Component {key} cannot be duplicated.")
            taken.add(value)


def check_form(data: Any, problems: Problems, place: Place = ("data",)) -> None:
    """Note what is wrong with a form: title, custom_id, one to five fields."""
    problems.length((*place, "title"), data.get("title"), 1, limits.FORM_TITLE)
    problems.length((*place, "custom_id"), data.get("custom_id"), 1, limits.CUSTOM_ID)
    fields, inside = data.get("components"), (*place, "components")
    if not _is_list(fields, inside, problems):
        return
    problems.count(inside, len(fields), 1, limits.FORM_FIELDS)
    check = _Check(problems, form=True)
    for index, field in enumerate(fields):
        check.component(field, (*inside, index), IN_FORM)
    check_duplicates(fields, inside, problems)


class _Check:
    """Walks components of a message or a form and notes what is wrong with each."""

    def __init__(self, problems: Problems, *, form: bool = False) -> None:
        self.problems = problems
        self.form = form
        self.checks: dict[int, Callable[[Json, Place], None]] = {
            ROW: self.row,
            BUTTON: self.button,
            TEXT_INPUT: self.text_input,
            SECTION: self.section,
            TEXT: self.text,
            THUMBNAIL: self.thumbnail,
            GALLERY: self.gallery,
            FILE: self.file,
            SEPARATOR: self.separator,
            CONTAINER: self.container,
            LABEL: self.label,
            UPLOAD: self.upload,
            RADIO_GROUP: self.options,
            CHECKBOX_GROUP: self.options,
            CHECKBOX: self.custom_id,
            **dict.fromkeys(MENUS, self.menu),
        }

    def component(self, component: Any, place: Place, allowed: frozenset[int]) -> None:
        if not isinstance(component, dict):
            self.problems.add(place, "MODEL_TYPE_CONVERT", "Only dictionaries may be used here.")
            return
        kind = component.get("type")
        if kind not in allowed:
            names = ", ".join(map(str, sorted(allowed)))
            self.problems.add((*place, "type"), "BASE_TYPE_CHOICES", f"Value must be one of {{{names}}}.")
            return
        self.checks[kind](component, place)

    def children(self, component: Json, place: Place, allowed: frozenset[int], low: int, high: int) -> list[Any]:
        children: Any = component.get("components")
        inside = (*place, "components")
        if not _is_list(children, inside, self.problems):
            return []
        self.problems.count(inside, len(children), low, high)
        for index, child in enumerate(children):
            self.component(child, (*inside, index), allowed)
        return [child for child in children if isinstance(child, dict)]

    def row(self, component: Json, place: Place) -> None:
        allowed = frozenset({TEXT_INPUT}) if self.form else frozenset({BUTTON, *MENUS})
        children = self.children(component, place, allowed, 1, limits.ROW_BUTTONS)
        if len(children) > 1 and any(child.get("type") != BUTTON for child in children):
            inside = (*place, "components")
            self.problems.add(inside, "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "A row holds one menu, or buttons.")
        if self.form and children and "label" not in children[0]:
            self.required((*place, "components", 0, "label"))

    def custom_id(self, component: Json, place: Place) -> None:
        if "custom_id" not in component:
            self.required((*place, "custom_id"))
        else:
            self.problems.length((*place, "custom_id"), component["custom_id"], 1, limits.CUSTOM_ID)

    def button(self, component: Json, place: Place) -> None:
        style = component.get("style")
        if style not in range(1, 7):
            self.problems.add((*place, "style"), "BASE_TYPE_CHOICES", "Value must be one of {1, 2, 3, 4, 5, 6}.")
            return
        if style == LINK:
            self.link(component, place)
        elif style != PREMIUM:
            self.custom_id(component, place)
            if component.get("url") is not None:
                self.problems.add((*place, "url"), "BUTTON_COMPONENT_URL_NOT_ALLOWED", "Only links have a url.")
        if component.get("label") is not None:
            self.problems.length((*place, "label"), component["label"], 0, limits.BUTTON_LABEL)
        self.emoji(component, place)
        if style != PREMIUM and not component.get("label") and not component.get("emoji"):
            self.problems.add(place, "BUTTON_COMPONENT_MISSING_LABEL_OR_EMOJI", "A button needs a label or an emoji.")

    def link(self, component: Json, place: Place) -> None:
        if component.get("custom_id") is not None:
            self.problems.add((*place, "custom_id"), "BUTTON_COMPONENT_CUSTOM_ID_NOT_ALLOWED", "Links have none.")
        if self.problems.length((*place, "url"), component.get("url"), 1, limits.URL):
            self.address((*place, "url"), component["url"], ("http://", "https://", "discord://"))

    def emoji(self, component: Json, place: Place) -> None:
        emoji = component.get("emoji")
        if emoji is None or emoji.get("id"):
            return
        name = emoji.get("name") or ""
        # Discord knows every emoji; that a name is not plain ASCII is as near as we come without its list.
        if not name or name.isascii():
            self.problems.add((*place, "emoji", "name"), "COMPONENT_INVALID_EMOJI", "Invalid emoji")

    def menu(self, component: Json, place: Place) -> None:
        self.custom_id(component, place)
        if component.get("placeholder") is not None:
            self.problems.length((*place, "placeholder"), component["placeholder"], 0, limits.PLACEHOLDER)
        low, high = value_range(component)
        for key, value, least in (("min_values", low, 0), ("max_values", high, 1)):
            if not isinstance(value, int) or not least <= value <= limits.MENU_OPTIONS:
                self.problems.add((*place, key), "NUMBER_TYPE_COERCE", f"Must be {least} to {limits.MENU_OPTIONS}.")
                return
        if low > high:
            self.problems.add((*place, "min_values"), "SELECT_COMPONENT_MIN_ABOVE_MAX", "min_values above max_values.")
        if component["type"] == STRING:
            self.options(component, place)
            options = component.get("options")
            if isinstance(options, list) and high > len(options):
                message = "max_values is more than there are options."
                self.problems.add((*place, "max_values"), "SELECT_COMPONENT_MAX_VALUES", message)
        defaults = component.get("default_values") or []
        if len(defaults) > high:
            self.problems.add((*place, "default_values"), "SELECT_COMPONENT_DEFAULTS", "More defaults than max_values.")

    def options(self, component: Json, place: Place) -> None:
        if component["type"] in GROUPS:
            self.custom_id(component, place)
        options: Any = component.get("options")
        inside = (*place, "options")
        if not _is_list(options, inside, self.problems):
            return
        self.problems.count(inside, len(options), 1, limits.MENU_OPTIONS)
        values: set[object] = set()
        for index, option in enumerate(options):
            where = (*inside, index)
            self.problems.length((*where, "label"), option.get("label"), 1, limits.MENU_LABEL)
            self.problems.length((*where, "value"), option.get("value"), 1, limits.MENU_VALUE)
            if option.get("description") is not None:
                self.problems.length((*where, "description"), option["description"], 1, limits.MENU_DESCRIPTION)
            if option.get("value") in values:
                message = "The specified option value is already used."
                self.problems.add((*where, "value"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", message)
            values.add(option.get("value"))
            self.emoji(option, where)
        defaults = sum(bool(option.get("default")) for option in options)
        if defaults > value_range(component)[1]:
            self.problems.add(inside, "SELECT_COMPONENT_DEFAULTS", "More defaults than max_values.")

    def text(self, component: Json, place: Place) -> None:
        self.problems.length((*place, "content"), component.get("content"), 1, limits.TEXT_V2)

    def section(self, component: Json, place: Place) -> None:
        self.children(component, place, frozenset({TEXT}), 1, limits.SECTION_TEXTS)
        if "accessory" not in component:
            self.required((*place, "accessory"))
            return
        self.component(component["accessory"], (*place, "accessory"), frozenset({BUTTON, THUMBNAIL}))

    def thumbnail(self, component: Json, place: Place) -> None:
        self.media(component.get("media"), (*place, "media"))
        self.description(component, place)

    def gallery(self, component: Json, place: Place) -> None:
        items: Any = component.get("items")
        inside = (*place, "items")
        if not _is_list(items, inside, self.problems):
            return
        self.problems.count(inside, len(items), 1, limits.GALLERY)
        for index, item in enumerate(items):
            self.media(item.get("media"), (*inside, index, "media"))
            self.description(item, (*inside, index))

    def file(self, component: Json, place: Place) -> None:
        url = (component.get("file") or {}).get("url")
        if not isinstance(url, str) or not url.startswith("attachment://"):
            self.problems.add((*place, "file", "url"), "URL_TYPE_INVALID_SCHEME", "Must be an attachment:// reference.")

    def media(self, media: Any, place: Place) -> None:
        url = media.get("url") if isinstance(media, dict) else None
        if url is None:
            self.required((*place, "url"))
            return
        self.address((*place, "url"), url, ("http://", "https://", "attachment://"))

    def address(self, place: Place, url: object, schemes: tuple[str, ...]) -> None:
        if not isinstance(url, str) or not url.startswith(schemes):
            self.problems.add(place, "URL_TYPE_INVALID_SCHEME", f"Scheme must be one of {', '.join(schemes)}.")

    def description(self, component: Json, place: Place) -> None:
        if component.get("description") is not None:
            self.problems.length((*place, "description"), component["description"], 0, limits.MEDIA_DESCRIPTION)

    def separator(self, component: Json, place: Place) -> None:
        if component.get("spacing", 1) not in (1, 2, None):
            self.problems.add((*place, "spacing"), "BASE_TYPE_CHOICES", "Value must be one of {1, 2}.")

    def container(self, component: Json, place: Place) -> None:
        self.children(component, place, IN_CONTAINER, 1, limits.COMPONENTS_V2)
        colour = component.get("accent_color")
        if colour is not None and not (isinstance(colour, int) and 0 <= colour <= 0xFFFFFF):
            self.problems.add((*place, "accent_color"), "NUMBER_TYPE_MAX", "Must be a colour from 0 to 16777215.")

    def label(self, component: Json, place: Place) -> None:
        self.problems.length((*place, "label"), component.get("label"), 1, limits.FIELD_LABEL)
        if component.get("description") is not None:
            self.problems.length((*place, "description"), component["description"], 1, limits.FIELD_DESCRIPTION)
        field = component.get("component")
        self.component(field, (*place, "component"), FIELDS)
        if isinstance(field, dict) and field.get("label") is not None:
            message = "A field within a label has no label of its own."
            self.problems.add((*place, "component", "label"), "COMPONENT_LABEL_NOT_ALLOWED", message)

    def text_input(self, component: Json, place: Place) -> None:
        self.custom_id(component, place)
        if component.get("style") not in (1, 2):
            self.problems.add((*place, "style"), "BASE_TYPE_CHOICES", "Value must be one of {1, 2}.")
        for key, most in (("placeholder", limits.FIELD_PLACEHOLDER), ("value", limits.FIELD_TEXT)):
            if component.get(key) is not None:
                self.problems.length((*place, key), component[key], 0, most)
        if component.get("label") is not None:
            self.problems.length((*place, "label"), component["label"], 1, limits.FIELD_LABEL)
        low, high = component.get("min_length"), component.get("max_length")
        for key, value, least in (("min_length", low, 0), ("max_length", high, 1)):
            if value is not None and not least <= value <= limits.FIELD_TEXT:
                self.problems.add((*place, key), "NUMBER_TYPE_MAX", f"Must be {least} to {limits.FIELD_TEXT}.")
        if low is not None and high is not None and low > high:
            self.problems.add((*place, "min_length"), "TEXT_INPUT_MIN_ABOVE_MAX", "min_length above max_length.")
        value = component.get("value")
        if value and high is not None and len(value) > high:
            self.problems.add((*place, "value"), "BASE_TYPE_MAX_LENGTH", "The value is longer than max_length.")

    def upload(self, component: Json, place: Place) -> None:
        self.custom_id(component, place)
        low, high = value_range(component)
        if not 0 <= low <= high <= limits.FILES:
            self.problems.add((*place, "max_values"), "NUMBER_TYPE_MAX", f"Must be 0 to {limits.FILES}, in order.")

    def required(self, place: Place) -> None:
        self.problems.add(place, "BASE_TYPE_REQUIRED", "This field is required")


def _is_list(value: Any, place: Place, problems: Problems) -> bool:
    if isinstance(value, list):
        return True
    problems.add(place, "BASE_TYPE_REQUIRED" if value is None else "LIST_TYPE_CONVERT", "Must be a list.")
    return False
