// A form (Discord calls it a modal) over one pane: fields of every kind, checked before they are sent.
import { html, useLayoutEffect, useRef, useState } from "./html.js";
import { Icon } from "./icons.js";
import { Markdown } from "./markdown.js";
import { Menu, defaultsOf, isSelect } from "./menu.js";

const KIND = { ROW: 1, TEXT_INPUT: 4, TEXT_DISPLAY: 10, LABEL: 18, UPLOAD: 19, RADIO: 21, CHECKS: 22, CHECK: 23 };
const PARAGRAPH = 2;
const LONGEST = 4000;

/** The field inside a label or an old row, else null. */
const fieldOf = (part) =>
  part.type === KIND.LABEL ? part.component : part.type === KIND.ROW ? part.components[0] : null;

function firstValue(field) {
  if (field.type === KIND.TEXT_INPUT) return field.value ?? "";
  if (field.type === KIND.CHECK) return Boolean(field.default);
  if (field.type === KIND.RADIO) return field.options.find((option) => option.default)?.value ?? null;
  if (field.type === KIND.CHECKS) return field.options.filter((option) => option.default).map((option) => option.value);
  return field.type === KIND.UPLOAD ? [] : defaultsOf(field);
}

function textProblem(field, value, words) {
  const length = [...value].length;
  const max = field.max_length ?? LONGEST;
  if (!value.trim()) return field.required === false ? null : words("This field is required");
  if (length < (field.min_length ?? 0)) return words("Enter at least {min} characters", { min: field.min_length });
  return length > max ? words("Enter at most {max} characters", { max }) : null;
}

function manyProblem(field, values, words) {
  const required = field.required !== false;
  const min = field.min_values ?? (field.type === KIND.CHECKS && !required ? 0 : 1);
  const max = field.max_values ?? (field.type === KIND.CHECKS ? field.options.length : 1);
  if (!values.length) return required && min > 0 ? words("This field is required") : null;
  return values.length < min || values.length > max ? words("Choose {min} to {max}", { min, max }) : null;
}

function problem(field, value, words) {
  if (field.type === KIND.TEXT_INPUT) return textProblem(field, value, words);
  if (field.type === KIND.RADIO)
    return value === null && field.required !== false ? words("This field is required") : null;
  return field.type === KIND.CHECK ? null : manyProblem(field, value, words);
}

/** A field as Discord sends it back. */
function sent(field, value) {
  const { type, id, custom_id } = field;
  if (type === KIND.UPLOAD) return { type, id, custom_id, values: value.map((file) => file.id) };
  const single = [KIND.TEXT_INPUT, KIND.RADIO, KIND.CHECK].includes(type);
  return { type, id, custom_id, ...(single ? { value } : { values: value }) };
}

function sentPart(part, values) {
  const field = fieldOf(part);
  if (!field) return { type: part.type, id: part.id };
  const answer = sent(field, values[field.custom_id]);
  return part.type === KIND.ROW
    ? { type: KIND.ROW, id: part.id, components: [answer] }
    : { type: KIND.LABEL, id: part.id, component: answer };
}

export function Form({ client, form }) {
  const { words } = client;
  const fields = form.components.map(fieldOf).filter(Boolean);
  const [values, setValues] = useState(() =>
    Object.fromEntries(fields.map((field) => [field.custom_id, firstValue(field)])),
  );
  const [problems, setProblems] = useState({});
  const [failure, setFailure] = useState(null);
  const [busy, setBusy] = useState(false);
  const box = useRef(null);
  useFocusInside(box);

  const change = (field, value) => {
    setValues((others) => ({ ...others, [field.custom_id]: value }));
    setProblems((others) => ({ ...others, [field.custom_id]: undefined }));
  };
  const submit = async () => {
    if (busy) return;
    const found = Object.fromEntries(
      fields
        .map((field) => [field.custom_id, problem(field, values[field.custom_id], words)])
        .filter(([, sentence]) => sentence),
    );
    setProblems(found);
    const first = fields.find((field) => found[field.custom_id]);
    if (first) {
      box.current.querySelector(`[data-custom-id="${CSS.escape(first.custom_id)}"]`)?.focus();
      return;
    }
    setBusy(true);
    const reason = await client.submit(
      form,
      form.components.map((part) => sentPart(part, values)),
    );
    setBusy(false);
    setFailure(reason);
  };
  // The button that submits is never disabled: it would lose the focus, and the form its keys.
  const onKeyDown = (event) => {
    if (event.key === "Escape") client.closeForm();
    else if (event.key === "Tab") keepInside(event, box.current);
    else return;
    event.stopPropagation();
  };
  return html`<div class="veil" onClick=${(event) => event.target === event.currentTarget && client.closeForm()}>
    <div
      class="form"
      ref=${box}
      role="dialog"
      tabindex="-1"
      aria-modal="true"
      aria-labelledby=${`form-${form.nonce}`}
      onKeyDown=${onKeyDown}
      data-testid="form"
    >
      <header>
        <h2 id=${`form-${form.nonce}`}>${form.title}</h2>
        <button type="button" class="round" aria-label=${words("Close")} onClick=${() => client.closeForm()}>
          <${Icon} name="close" />
        </button>
      </header>
      <div class="form-parts">
        <p class="dim small">${words("{name} asks", { name: client.nameOf(client.bot) })}</p>
        ${form.components.map((part, index) => html`<${Part}
            key=${index}
            client=${client}
            part=${part}
            values=${values}
            problems=${problems}
            change=${change}
            submit=${submit}
          />`)}
      </div>
      ${failure && html`<p class="failure" role="alert"><${Icon} name="warning" size=${15} />${failure}</p>`}
      <footer>
        <button type="button" class="button secondary" onClick=${() => client.closeForm()}>${words("Cancel")}</button>
        <button type="button" class="button primary" aria-busy=${busy} aria-disabled=${busy} onClick=${submit}>
          ${busy ? html`<span class="dots"></span>` : words("Submit")}
        </button>
      </footer>
    </div>
  </div>`;
}

function Part({ client, part, values, problems, change, submit }) {
  if (part.type === KIND.TEXT_DISPLAY) return html`<${Markdown} client=${client} text=${part.content} />`;
  const field = fieldOf(part);
  if (!field) return html`<em class="dim">${client.words("(a component of a kind this page does not know)")}</em>`;
  const label = part.label ?? field.label ?? "";
  const id = `field-${client.me.id}-${field.custom_id}`;
  const needed = field.required !== false && field.type !== KIND.CHECK && field.min_values !== 0;
  const wrong = problems[field.custom_id];
  const describedBy =
    [part.description && `${id}-about`, wrong && `${id}-wrong`].filter(Boolean).join(" ") || undefined;
  const draw = isSelect(field) ? SelectField : FIELDS[field.type];
  if (!draw) return html`<em class="dim">${client.words("(a component of a kind this page does not know)")}</em>`;
  return html`<div class=${wrong ? "field wrong" : "field"}>
    <label for=${id}>${label}${needed && html`<span class="needed" aria-hidden="true"> *</span>`}</label>
    ${part.description && html`<p id=${`${id}-about`} class="dim small">${part.description}</p>`}
    <${draw}
      client=${client}
      field=${field}
      id=${id}
      label=${label}
      value=${values[field.custom_id]}
      change=${(value) => change(field, value)}
      invalid=${Boolean(wrong)}
      describedBy=${describedBy}
      submit=${submit}
    />
    ${wrong && html`<p id=${`${id}-wrong`} class="failure small" role="alert">${wrong}</p>`}
  </div>`;
}

function TextInput({ field, id, value, change, invalid, describedBy, submit }) {
  const many = field.style === PARAGRAPH;
  const max = field.max_length ?? LONGEST;
  const length = [...value].length;
  const common = {
    id,
    value,
    placeholder: field.placeholder ?? "",
    "aria-invalid": invalid,
    "aria-describedby": describedBy,
    "aria-required": field.required !== false,
    "data-custom-id": field.custom_id,
    onInput: (event) => change(event.target.value),
  };
  const enter = (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    submit();
  };
  const counter = field.max_length || field.min_length || length > max - 200;
  return html`<div class="text-input">
    ${many ? html`<textarea rows="4" ...${common}>
      </textarea>` : html`<input type="text" autocomplete="off" onKeyDown=${enter} ...${common} />`}
    ${counter && html`<span class=${length > max ? "counter over" : "counter"} aria-hidden="true">
        ${length} / ${max}
      </span>`}
  </div>`;
}

function SelectField({ client, field, label, value, change, invalid, describedBy }) {
  return html`<${Menu}
      client=${client}
      component=${field}
      values=${value}
      onValues=${change}
      label=${label}
      invalid=${invalid}
      describedBy=${describedBy}
    />`;
}

function Upload({ client, field, id, label, value, change, invalid, describedBy }) {
  const [state, setState] = useState("");
  const { words } = client;
  const many = (field.max_values ?? 1) > 1;
  const take = async (event) => {
    const files = [...event.target.files];
    event.target.value = "";
    setState(words("Uploading…"));
    try {
      const stored = await Promise.all(files.map((file) => client.upload(file)));
      change(many ? [...value, ...stored] : stored);
      setState("");
    } catch {
      setState(words("The upload failed"));
    }
  };
  return html`<div class="upload">
    <label class="button secondary upload-button">
      <input
        id=${id}
        type="file"
        multiple=${many}
        aria-label=${label}
        aria-invalid=${invalid}
        aria-describedby=${describedBy}
        data-custom-id=${field.custom_id}
        onChange=${take}
      />
      <span>${words(many ? "Choose files" : "Choose a file")}</span>
    </label>
    <span class="dim small" role="status">${state}</span>
    ${value.map((file) => html`<span class="file-chip" key=${file.id}>
        <${Icon} name="file" size=${14} />
        ${file.filename}
        <button
          type="button"
          class="plain"
          aria-label=${words("Remove {name}", { name: file.filename })}
          onClick=${() => change(value.filter((other) => other !== file))}
        >
          <${Icon} name="close" size=${12} />
        </button>
      </span>`)}
  </div>`;
}

function Radio({ field, id, value, change }) {
  return html`<div role="radiogroup" class="choices">
    ${field.options.map(
      (option, index) => html`<label class="choice" key=${option.value}>
      <input
        type="radio"
        id=${index ? undefined : id}
        name=${id}
        checked=${value === option.value}
        data-custom-id=${field.custom_id}
        onChange=${() => change(option.value)}
      />
      <span>${option.label}${option.description && html`<small>${option.description}</small>`}</span>
    </label>`,
    )}
  </div>`;
}

function Checks({ field, id, value, change }) {
  const toggle = (chosen) =>
    change(value.includes(chosen) ? value.filter((other) => other !== chosen) : [...value, chosen]);
  return html`<div role="group" class="choices">
    ${field.options.map(
      (option, index) => html`<label class="choice" key=${option.value}>
      <input
        type="checkbox"
        id=${index ? undefined : id}
        checked=${value.includes(option.value)}
        data-custom-id=${field.custom_id}
        onChange=${() => toggle(option.value)}
      />
      <span>${option.label}${option.description && html`<small>${option.description}</small>`}</span>
    </label>`,
    )}
  </div>`;
}

const Check = ({ field, id, value, change }) =>
  html`<input
      type="checkbox"
      id=${id}
      checked=${value}
      data-custom-id=${field.custom_id}
      onChange=${() => change(!value)}
    />`;

const FIELDS = {
  [KIND.TEXT_INPUT]: TextInput,
  [KIND.UPLOAD]: Upload,
  [KIND.RADIO]: Radio,
  [KIND.CHECKS]: Checks,
  [KIND.CHECK]: Check,
};

// --- keeping the keyboard in the form ----------------------------------------------------------------------------------
const focusable = (box) =>
  [...box.querySelectorAll("button, input, textarea, a[href], [role=button]")].filter(
    (element) => !element.disabled && element.offsetParent,
  );

/** Focuses the first field, and what had the focus before when the form is gone. */
export function useFocusInside(box) {
  useLayoutEffect(() => {
    const before = document.activeElement;
    (
      box.current.querySelector(".form-parts input, .form-parts textarea, .form-parts .menu-button") ??
      focusable(box.current)[0]
    )?.focus();
    return () => before?.isConnected && before.focus();
  }, []);
}

export function keepInside(event, box) {
  const all = focusable(box);
  const last = event.shiftKey ? all[0] : all.at(-1);
  if (document.activeElement !== last) return;
  event.preventDefault();
  (event.shiftKey ? all.at(-1) : all[0]).focus();
}
