// Slash commands as data: which there are, which fit what was typed, and what the typed options mean.
export const OPTION = {
  SUBCOMMAND: 1,
  GROUP: 2,
  STRING: 3,
  INTEGER: 4,
  BOOLEAN: 5,
  USER: 6,
  CHANNEL: 7,
  ROLE: 8,
  MENTIONABLE: 9,
  NUMBER: 10,
  ATTACHMENT: 11,
};
const CHAT_INPUT = 1;
const LONGEST_TEXT = 6000; // characters in a string option

/** A name or description in the reader's language: `localised("name", thing, locale)`. */
export function localised(field, thing, locale) {
  return thing[`${field}_localizations`]?.[locale] ?? thing[field];
}

function leavesBelow(command, thing, path, shown, locale) {
  const branches = (thing.options ?? []).filter(
    (option) => option.type === OPTION.SUBCOMMAND || option.type === OPTION.GROUP,
  );
  if (!branches.length) {
    const description = localised("description", thing, locale);
    return [
      {
        command,
        path,
        plain: [command.name, ...path].join(" "),
        shown: shown.join(" "),
        description,
        options: thing.options ?? [],
      },
    ];
  }
  return branches.flatMap((branch) =>
    leavesBelow(command, branch, [...path, branch.name], [...shown, localised("name", branch, locale)], locale),
  );
}

const CONTEXT = { SERVER: 0, DIRECT: 1 };

/** Whether Discord offers a command in this channel: some are for servers or for direct messages only. */
function offeredIn(command, channel) {
  const direct = channel.type === 1;
  if (command.contexts) return command.contexts.includes(direct ? CONTEXT.DIRECT : CONTEXT.SERVER);
  return !direct || (!command.guild_id && command.dm_permission !== false);
}

/** Every command that can be used in a channel: `{command, path, plain, shown, description, options}`, names shown in the reader's language. */
export function leavesOf(commands, channel, locale) {
  return commands
    .filter((command) => (command.type ?? CHAT_INPUT) === CHAT_INPUT && offeredIn(command, channel))
    .flatMap((command) => leavesBelow(command, command, [], [localised("name", command, locale)], locale));
}

/** Whether each typed word begins a word of the name, in order: "tri b" fits "triggle band". */
function abbreviates(query, name) {
  const words = name.split(" ");
  let at = 0;
  return query.split(/\s+/).every((start) => {
    while (at < words.length && !words[at].startsWith(start)) at += 1;
    return at++ < words.length;
  });
}

function fit(leaf, query) {
  const names = [leaf.shown, leaf.plain].map((name) => name.toLowerCase());
  if (names.some((name) => name.startsWith(query))) return 0;
  if (names.some((name) => abbreviates(query, name))) return 1;
  if (names.some((name) => name.includes(query))) return 2;
  return leaf.description.toLowerCase().includes(query) ? 3 : null;
}

/** The commands that fit what was typed after the slash, best first. */
export function fitting(leaves, typed) {
  const query = typed.toLowerCase().trimStart();
  return leaves
    .map((leaf) => [fit(leaf, query), leaf])
    .filter(([rank]) => rank !== null)
    .sort((a, b) => a[0] - b[0])
    .map(([, leaf]) => leaf);
}

/** The command that was typed out in full, with a space after it, else null. */
export const typedOut = (leaves, text) =>
  leaves.find((leaf) => [`/${leaf.shown} `, `/${leaf.plain} `].includes(text)) ?? null;

/** What can be chosen without asking the bot: `[{name, value, note, user}]`, or null where the option is free text. */
export function choicesFor(client, option) {
  const { words, locale } = client;
  const people = () =>
    [...client.people.values()].map((user) => ({
      name: client.nameOf(user),
      value: user.id,
      note: user.username,
      user,
    }));
  const roles = () => (client.guild.roles ?? []).map((role) => ({ name: role.name, value: role.id }));
  const channels = () =>
    [...client.channels.values()]
      .filter((channel) => channel.type !== 1 && (!option.channel_types || option.channel_types.includes(channel.type)))
      .map((channel) => ({ name: channel.name, value: channel.id }));
  const kinds = {
    [OPTION.BOOLEAN]: () => [
      { name: words("True"), value: true },
      { name: words("False"), value: false },
    ],
    [OPTION.USER]: people,
    [OPTION.ROLE]: roles,
    [OPTION.MENTIONABLE]: () => [...people(), ...roles()],
    [OPTION.CHANNEL]: channels,
  };
  if (option.choices?.length)
    return option.choices.map((choice) => ({ name: localised("name", choice, locale), value: choice.value }));
  return kinds[option.type]?.() ?? null;
}

const WANTED = {
  [OPTION.USER]: "Choose somebody",
  [OPTION.MENTIONABLE]: "Choose somebody",
  [OPTION.CHANNEL]: "Choose a channel",
  [OPTION.ROLE]: "Choose a role",
};

function readNumber(option, text, words) {
  const whole = option.type === OPTION.INTEGER;
  if (!(whole ? /^[+-]?\d{1,15}$/ : /^[+-]?\d+(\.\d+)?$/).test(text)) {
    return { error: words(whole ? "Enter a whole number" : "Enter a number") };
  }
  const value = Number(text);
  if (value < (option.min_value ?? -Infinity))
    return { error: words("Enter a number of at least {min}", { min: option.min_value }) };
  if (value > (option.max_value ?? Infinity))
    return { error: words("Enter a number of at most {max}", { max: option.max_value }) };
  return { value };
}

function readText(option, text, words) {
  const length = [...text].length;
  const max = option.max_length ?? LONGEST_TEXT;
  if (length < (option.min_length ?? 0))
    return { error: words("Enter at least {min} characters", { min: option.min_length }) };
  if (length > max) return { error: words("Enter at most {max} characters", { max }) };
  return { value: text };
}

/** What an option means: `{value}`, `{error}`, or `{}` where it was left empty. `given` is `{text, value}`. */
export function meaning(client, option, given) {
  const { words } = client;
  const text = (given?.text ?? "").trim();
  if (given?.value !== undefined) return { value: given.value };
  if (!text) return option.required ? { error: words("This option is required. Specify a value") } : {};
  const choices = choicesFor(client, option);
  if (choices) {
    const same = (choice) =>
      choice.name.toLowerCase() === text.replace(/^[@#]/, "").toLowerCase() || String(choice.value) === text;
    const choice = choices.find(same);
    return choice
      ? { value: choice.value }
      : { error: words(WANTED[option.type] ?? "Choose one of the values offered") };
  }
  if (option.type === OPTION.ATTACHMENT) return { error: words("Choose a file") };
  return option.type === OPTION.STRING ? readText(option, given.text, words) : readNumber(option, text, words);
}

/** All options of a draft: `{values: {name: value}, errors: {name: sentence}}`; `draft.given` is `{name: {text, value}}`. */
export function meanings(client, leaf, given) {
  const values = {};
  const errors = {};
  for (const option of leaf.options) {
    const { value, error } = meaning(client, option, given[option.name]);
    if (error) errors[option.name] = error;
    else if (value !== undefined) values[option.name] = value;
  }
  return { values, errors };
}
