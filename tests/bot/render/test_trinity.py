"""TRiNITY's pictures and words: what they show, that they show nothing more, and that they stay small and quick."""

import io
import random
from collections.abc import Sequence

import msgspec
import pytest
from PIL import Image

from bot.render import ALT_LENGTH, TEXT_LENGTH, fonts
from bot.render.canvas import HEAVY
from bot.render.descriptions import length
from bot.render.marks import SEATS
from bot.render.palette import CHOICE, rgb
from bot.render.trinity import alt, as_text, cards, hand, icons, notes, picture, questions, rulebook, table, telling
from bot.words import Words, words_for
from rules.trinity import GAME
from rules.trinity.cards import CARDS, DIGITS
from rules.trinity.notebook import notebook
from rules.trinity.state import Question, TrinityOptions, TrinitySetup, TrinityState
from rules.trinity.view import View
from tests.rules.trinity_secrets import shuffled_unknown
from tests.rules.trinity_tables import after, held, random_game
from tests.rules.trinity_tables import table as position

ENGLISH, CHINESE = words_for("en"), words_for("zh-TW")
NAMES = ("Ada", "Ben the Magnificent", "陳小明")


def drawn(view: View, words: Words = ENGLISH, names: Sequence[str] = NAMES) -> Image.Image:
    return opened(picture(view, words, names=names))


def opened(png: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(png))
    image.load()
    return image.convert("RGB")


def part(image: Image.Image, box: tuple[int, int, int, int]) -> bytes:
    return image.crop(box).tobytes()


def public(state: TrinityState) -> View:
    return GAME.view(state, None)


def middle_game() -> TrinityState:
    """The second seat is at turn; something is open, guessed, summed."""
    state = position(held("0356", "863"), held("4779", "258"), held("59", "114"))
    return after(state, "1 play 6 @2 5", "1 guess @3 1 2 3", "2 play 7 @1", "2 guess @1 0 0 3")


def plenty(seats: int) -> list[View]:
    """Views of many positions, for everybody and for a seat."""
    views = []
    for seed in range(6):
        for number, state in enumerate(random_game(seats, TrinityOptions(), random.Random(seed), 60)):
            if number % 7 == 0:
                views += [GAME.view(state, None), GAME.view(state, number % seats)]
    return views


# -- Cards ----------------------------------------------------------------------------------------------------------


def test_every_card_has_a_name_and_an_icon_of_its_own() -> None:
    assert len(icons.ICONS) == len(CARDS)
    for size in cards.SIZES:
        faces = {cards.face(digit, size, ENGLISH).image.tobytes() for digit in DIGITS}
        assert len(faces) == len(DIGITS)
    assert {cards.KINDS[digit] for digit in DIGITS} == {"green", "orange", "yellow", "blue"}


def test_chinese_names_are_those_of_the_rulebook() -> None:
    for card in CARDS:
        assert (CHINESE(card.person), CHINESE(card.power)) == card.chinese


@pytest.mark.parametrize("size", ["large", "medium"])
def test_names_fit_their_cards_whole_at_a_readable_size(size: cards.Size) -> None:
    measures = cards.SIZES[size]
    assert measures.name_size >= 24
    for words in (ENGLISH, CHINESE):
        for digit in DIGITS:
            name = cards.person(digit, words)
            lines = fonts.wrap(name, measures.width - cards.MARGIN, measures.name_size)
            assert len(lines) <= 2
            assert " ".join(lines) == name, "no word is broken"
            if measures.power_size:
                assert fonts.measure(cards.power(digit, words), 24) <= measures.width - 14


def test_a_card_looks_different_in_each_language_only_where_it_bears_a_name() -> None:
    for digit in DIGITS:
        assert (
            cards.face(digit, "large", ENGLISH).image.tobytes() != cards.face(digit, "large", CHINESE).image.tobytes()
        )
        assert cards.face(digit, "mini", ENGLISH).image.tobytes() == cards.face(digit, "mini", CHINESE).image.tobytes()


# -- The table ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3])
def test_the_picture_is_small_and_as_wide_as_all(seats: int) -> None:
    for view in plenty(seats):
        png = picture(view, CHINESE, names=NAMES)
        assert opened(png).size == (1000, table.height(seats))
        assert len(png) <= HEAVY


def test_a_hidden_target_is_a_back_and_a_revealed_one_its_face() -> None:
    state = middle_game()
    image = drawn(public(state))
    measures = cards.SIZES["medium"]
    for seat, player in enumerate(state.players):
        for place in range(3):
            left = table.EDGE + 24 + place * table.STEP
            top = table.TOP + seat * (table.PLAYER + table.GAP) + table.CARDS_TOP
            # The lower half, which no label lies on.
            seen = image.crop((left + 8, top + 100, left + measures.width - 8, top + measures.height - 8))
            colours = {colour for _, colour in seen.getcolors(99999) or ()}
            assert (rgb(cards.BACK) in colours) == (not player.revealed[place]), (seat, place)


def test_the_picture_is_the_same_whatever_is_hidden() -> None:
    rng = random.Random(3)
    for seed in range(4):
        for number, state in enumerate(random_game(3, TrinityOptions(), random.Random(seed), 40)):
            if number % 9 == 0:
                other = shuffled_unknown(state, None, rng)
                assert picture(public(state), ENGLISH, names=NAMES) == picture(public(other), ENGLISH, names=NAMES)


def test_the_panel_of_who_is_to_act_stands_out() -> None:
    state = middle_game()
    image = drawn(public(state))
    middle = [table.TOP + seat * (table.PLAYER + table.GAP) + table.PLAYER - 12 for seat in range(3)]
    tints = [image.getpixel((500, y)) == rgb(SEATS[seat].tint) for seat, y in enumerate(middle)]
    assert tints == [seat in GAME.to_act(state) for seat in range(3)]


def test_areas_answers_pile_and_hands_change_the_picture() -> None:
    view = public(middle_game())
    players = view.players
    replace = msgspec.structs.replace
    changed = [
        replace(view, pile_size=3),
        replace(view, pile_size=0),
        replace(view, played=9),
        replace(view, guesses=2),
        *(
            replace(view, players=(replace(players[0], **one), *players[1:]))
            for one in (
                {"hand_size": 9},
                {"area": (1, 2, 3)},
                {"area": tuple(range(10)) * 2},
                {"answers": ()},
                {"left": True, "laid_open": (1, 2)},
                {"targets": (1, None, None)},
                {"chosen": False},
            )
        ),
    ]
    looks = {picture(one, ENGLISH, names=NAMES) for one in (view, *changed)}
    assert len(looks) == len(changed) + 1


def test_a_seats_own_side_shows_its_targets_to_it() -> None:
    state = middle_game()
    assert drawn(GAME.view(state, 0)).tobytes() != drawn(public(state)).tobytes()


@pytest.mark.parametrize("name", ["", "W" * 32, "🎲" * 32, "שלום", "陳" * 32, "a\nb", "{0}%s", "Z̸̢̛a̷̡"])
def test_no_name_is_too_odd(name: str) -> None:
    view = public(middle_game())
    assert drawn(view, names=[name] * 3).size[0] == 1000
    for words in (ENGLISH, CHINESE):
        assert length(alt(view, words, [name] * 3)) <= ALT_LENGTH
        assert as_text(view, words, [name] * 3)


# -- One's own ------------------------------------------------------------------------------------------------------


def test_the_hand_shows_targets_cards_what_is_new_and_what_a_four_showed() -> None:
    state = position(held("0144", "863", shown="6"), held("59", "114"), pile="9876")
    looked = after(state, "1 play 4")
    plain = opened(hand.picture(GAME.view(state, 0), ENGLISH))
    seeing = opened(hand.picture(GAME.view(looked, 0), ENGLISH))
    assert plain.size == (1000, 2 * hand.SECTION)
    box = (hand.ASIDE, 20, 1000, 300)
    assert part(plain, box) != part(seeing, box)
    assert rgb(CHOICE) in {colour for _, colour in plain.getcolors(99999) or ()}, "6 lies open"


def test_the_hand_of_somebody_without_cards_is_only_their_targets() -> None:
    state = position(held("", "863"), held("59", "114"))
    assert opened(hand.picture(GAME.view(state, 0), ENGLISH)).size == (1000, hand.SECTION)


def test_the_chosen_order_is_shown_while_targets_are_chosen() -> None:
    setup = TrinitySetup(seats=2)
    state = GAME.start(setup, TrinityOptions(), GAME.deal(setup, TrinityOptions(), random.Random(1)))
    view = GAME.view(state, 0)
    looks = {hand.picture(view, ENGLISH, chosen) for chosen in ((), (0,), (1,), (0, 1), (1, 0), (0, 1, 2), (2, 1, 0))}
    assert len(looks) == 7


def test_the_publics_view_has_no_hand() -> None:
    with pytest.raises(ValueError, match="own view"):
        hand.picture(public(middle_game()), ENGLISH)


def test_of_two_like_cards_one_is_new() -> None:
    assert hand._places((3, 4, 4, 9), (4,)) == {2}
    assert hand._places((3, 4, 4, 9), (4, 4)) == {1, 2}
    assert hand._places((3,), (7,)) == set()


def test_the_notebook_marks_what_is_possible() -> None:
    state = after(position(held("3", "863"), held("59", "258")), "1 play 3", "1 guess @2 2 5 0")
    known = GAME.view(state, 0)
    found = notebook(known)
    image = opened(notes.picture(found, ENGLISH, NAMES))
    for place, digits in enumerate(found[0].positions):
        for digit in DIGITS:
            x = notes.FIRST + digit * notes.STEP + 8
            y = notes.HEAD + place * notes.STEP + 8
            white = image.getpixel((x, y)) == (255, 255, 255)
            assert white == (digit in digits and len(digits) > 1), (place, digit)


def test_the_notebook_of_nobody_is_still_a_picture() -> None:
    assert opened(notes.picture((), ENGLISH, NAMES)).size[0] == 1000


def test_all_ten_cards_for_the_rules() -> None:
    for words in (ENGLISH, CHINESE):
        png = rulebook.cards_picture(words)
        assert len(png) <= HEAVY
        for card in CARDS:
            assert words(card.person) in rulebook.cards_text(words)


# -- In words -------------------------------------------------------------------------------------------------------


def test_the_description_tells_the_position() -> None:
    said = alt(public(middle_game()), ENGLISH, NAMES)
    assert said == (
        "陳小明 plays a card. The pile has 8 cards. "
        "Ada: targets ? ? ?, 3 cards in hand. Last guess 0 0 3: 1 right. "
        "Ben the Magnificent: targets ? 5 ?, 4 cards in hand. "
        "陳小明: targets ? ? ?, 3 cards in hand. Last guess 1 2 3: 1 right."
    )


@pytest.mark.parametrize("words", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_descriptions_and_texts_fit(words: Words) -> None:
    long = ["Bartholomew the Unbearably Long!"] * 3
    for view in plenty(3):
        for names in (NAMES, long):
            assert length(alt(view, words, names)) <= ALT_LENGTH
            assert length(as_text(view, words, names)) <= TEXT_LENGTH


def test_the_table_in_words_has_everything_public_and_nothing_more() -> None:
    text = as_text(public(middle_game()), ENGLISH, NAMES)
    for line in (
        "陳小明 plays a card. The pile has 8 cards.",
        "- Targets: ? 5 ?",
        "- Played: 6",
        "- The sum is 17.",
        "- Ben the Magnificent guessed 0 0 3: 1 right.",
        "- 5 lies only at position 2.",
        "- Ada guessed 1 2 3: 1 right.",
    ):
        assert line in text
    assert "Yours alone" not in text
    assert "8 6 3" not in text


def test_of_very_many_answers_the_newest_are_told() -> None:
    state = position(held("", "863"), held("", "258"), pile="")
    for number in range(200):
        state = after(state, f"1 guess @2 9 9 {number % 8}", "2 guess @1 9 9 9")
    view = GAME.view(state, 0)
    text = as_text(view, ENGLISH, NAMES)
    assert length(text) <= TEXT_LENGTH
    assert "Ada guessed 9 9 7: 0 right." in text
    assert "and 188 answers before that" in text
    told = telling.notebook_text(view, notebook(view), ENGLISH, NAMES)
    assert length(told) <= TEXT_LENGTH
    assert "and 188 answers before that" in told


def test_a_seats_own_text_has_its_cards() -> None:
    text = as_text(GAME.view(middle_game(), 0), ENGLISH, NAMES)
    assert "Your targets: 8 6 3" in text
    assert "Your hand: 0 Hostess, 3 Teacher, 5 Capitalist" in text


def test_what_each_card_does_and_whether_it_works_now() -> None:
    state = position(held("0129", "863"), held("", "114", shown="14"), pile="9")
    lines = telling.effects(GAME.view(state, 0), ENGLISH)
    works = ["No effect now" not in line for line in lines]
    assert [line[2] for line in lines] == ["0", "1", "2", "9"]
    assert works == [False, True, False, False]
    assert "Not with fewer than 2 cards in the pile." in lines[0]


STORIES = [
    ("1 play 6 @2 5", "Ada plays 6 Journalist on Ben. Ben reveals **5** at position 2."),
    ("1 play 6 @2 7", "Ada plays 6 Journalist on Ben. Ben has no **7**."),
    ("1 play 7 @2", "Ada plays 7 Politician on Ben. The sum of Ben’s targets is **15**."),
    ("1 play 8 @2", "Ada plays 8 Bureaucrat on Ben. Ben’s largest minus smallest is **6**."),
    ("1 play 9 @2 3", "Ada plays 9 Detective on Ben. Ben reveals 8 at position 3."),
    ("1 play 3", "Ada plays 3 Teacher. Ada draws a card."),
    ("1 play 5", "Ada plays 5 Capitalist."),
    ("1 play 4", "Ada plays 4 The Liu Syndicate."),
    ("1 play 2 @2", "Ada plays 2 Killer on Ben."),
]


@pytest.mark.parametrize(("line", "said"), STORIES)
def test_what_happened_in_a_sentence(line: str, said: str) -> None:
    assert story(line) == said


def story(line: str, *before: str) -> str | None:
    state = after(position(held("0123456789", "863"), held("47", "258")), *before)
    number, _, text = line.partition(" ")
    seat = int(number) - 1
    events = GAME.play(state, seat, GAME.parse(state, seat, text)).events
    return telling.story(events, ENGLISH, ("Ada", "Ben"))


def test_what_follows_a_card_in_a_sentence() -> None:
    assert story("1 discard 1 3", "1 play 0") == "Ada gives up the targets 3 and 8 and draws new ones."
    assert story("1 arrange 2 1 3", "1 play 0", "1 discard 1 3") == "Ada has put their targets in order."
    assert story("1 swap 1 0", "1 play 1") == "Ada has swapped a target with a hand card."
    assert story("1 order 2 1 3", "1 play 4") == "Ada has put the top of the pile back."
    assert story("2 discard 4", "1 play 2 @2") == "Ben gives up 4 The Liu Syndicate."
    assert story("1 skip", "1 play 3") == "Ada declines to guess."
    assert story("1 guess @2 2 8 5", "1 play 3") == "Ada guesses Ben: **2 8 5** – **1 right**."
    assert story("1 guess @2 2 5 8", "1 play 3") == "Ada guesses Ben: **2 5 8** – **TRiNITY!**"


def test_a_story_never_tells_what_only_some_may_know() -> None:
    """Handed private events, it leaves them out."""
    for seed in range(5):
        rng = random.Random(seed)
        for state in random_game(3, TrinityOptions(), rng, 60):
            for seat in GAME.to_act(state):
                events = GAME.play(state, seat, rng.choice(GAME.legal(state, seat))).events
                known = [event for event in events if event.audience() is None]
                assert telling.story(events, ENGLISH, NAMES) == telling.story(known, ENGLISH, NAMES)


def test_the_end_names_the_winner_and_all_targets() -> None:
    over = after(middle_game(), "3 play 5", "3 guess @1 8 6 3")
    assert telling.status(public(over), ENGLISH, NAMES) == (
        "🏆 **TRiNITY!** 陳小明 wins.\nTargets: Ada 8 6 3, Ben the Magnificent 2 5 8 and 陳小明 1 1 4."
    )
    left = after(middle_game(), "1 leaves", "2 leaves")
    assert "TRiNITY" not in telling.status(public(left), ENGLISH, NAMES)
    assert "陳小明 wins." in telling.status(public(left), ENGLISH, NAMES)


@pytest.mark.parametrize("question", list(Question))
def test_every_question_has_its_sentences(question: Question) -> None:
    for texts in (telling.WAITING, questions.ASKED, questions.CALLED, table.HEADS):
        for words in (ENGLISH, CHINESE):
            assert words(texts[question], name="Ada")
