// Ids are decimal strings of up to 20 digits: too long for a JavaScript number, so they are never made one.
const DISCORD_EPOCH = 1420070400000;

/** Negative, 0 or positive, as `a` was made before, with or after `b`. */
export function compareIds(a, b) {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

/** The moment (milliseconds since 1970) at which Discord made this id. */
export function timeOfId(id) {
  return Number(BigInt(id) >> 22n) + DISCORD_EPOCH;
}
