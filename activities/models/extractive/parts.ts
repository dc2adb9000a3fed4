/** Small enough to parse in a moment, whatever is in it. */
const PART = 16 * 1024;

/**
 * A text in parts that can be parsed one by one: cut before a heading, else before a paragraph that is not indented,
 * else at the end of a line, else anywhere. Most documents are one part.
 */
export function* partsOf(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > PART) {
    const length = cutIn(text.slice(start, start + PART));
    yield text.slice(start, start + length);
    start += length;
  }
  yield text.slice(start);
}

function cutIn(window: string): number {
  const second = window.length / 2;
  const cuts = [lastMatch(window, /\n(?=#{1,6} )/g), lastMatch(window, /\n\s*\n(?=\S)/g), lastMatch(window, /\n/g)];
  return cuts.find((cut) => cut > second) ?? window.length;
}

function lastMatch(text: string, pattern: RegExp): number {
  const last = [...text.matchAll(pattern)].at(-1);
  return last === undefined ? 0 : last.index + last[0].length;
}
