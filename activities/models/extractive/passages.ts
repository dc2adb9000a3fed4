import type { Blockquote, Link, List, ListItem, PhrasingContent, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';

/** A statement of a document, with what it is about: the agenda item or the heading above it. */
export interface Passage {
  readonly topic: string;
  readonly text: string;
}

/** Longer blocks are taken sentence by sentence. */
const WHOLE_BLOCK = 280;

const LONGEST_SENTENCE = 400;

interface Section {
  heading: string;
  /** The depth of a heading whose section holds nothing to report, until another of that depth or above; else infinite. */
  silentDepth: number;
}

/** Sections that tell where a meeting was and who came, not what became of it. */
const silentHeading =
  /^(links?|resources|references|present|presence|attend(ees|ance)|participants|invited|observers|guests|apologies|absent|regrets|reminders?|upcoming|next meeting|(table of )?contents|licen[cs]e|see also|further reading)\b/i;

const silentBlock = /^(\||(present|attendees|attending|participants|apologies|absent|regrets|recording|minutes|transcript|slides|scribe|chair|zoom|dial-?in)\b\s*(:|$)|(extracted from|click|remember to|join us)\b)/i;

/** A title with the number of an issue and nothing below it: named, but not discussed. */
const bareTitle = /#\d+\W*$/;

/** The statements of one part of a document, in order; the section is carried from part to part. */
export function passagesOf(markdown: string, section: Section): Passage[] {
  // Quotes within quotes beyond all sense would make a tree too deep to walk.
  const tree = fromMarkdown(markdown.replace(/^((?:[ \t]*>){4})[ \t>]+/gm, '$1 '));
  return tree.children.flatMap((block) => fromBlock(block, section));
}

export function newSection(): Section {
  return { heading: '', silentDepth: Infinity };
}

function fromBlock(block: RootContent, section: Section): Passage[] {
  if (block.type === 'heading') enter(section, block.depth, phrase(block.children));
  if (section.silentDepth < Infinity) return [];
  if (block.type === 'paragraph') return statements(block.children, section.heading);
  if (block.type === 'list') return fromList(block, section.heading, true);
  if (block.type === 'blockquote') return fromQuote(block, section);
  return [];
}

function fromQuote(quote: Blockquote, section: Section): Passage[] {
  return quote.children.flatMap((block) => fromBlock(block, section));
}

function enter(section: Section, depth: number, heading: string): void {
  if (depth <= section.silentDepth) section.silentDepth = silentHeading.test(heading) ? depth : Infinity;
  // A document's own title says the same of every statement.
  section.heading = depth === 1 ? '' : heading;
}

/** Outermost items that have items of their own are topics. */
function fromList(list: List, topic: string, isOutermost: boolean): Passage[] {
  return list.children.flatMap((item) => fromItem(item, topic, isOutermost));
}

function fromItem(item: ListItem, topic: string, isOutermost: boolean): Passage[] {
  const inner = item.children.filter((child) => child.type === 'list');
  const own = item.children.flatMap((child) => (child.type === 'paragraph' ? [child] : []));
  const title = phrase(own.flatMap(({ children }) => children));
  if (isOutermost && inner.length > 0 && isTopic(title)) return inner.flatMap((list) => fromList(list, title, false));
  const said = inner.length === 0 && bareTitle.test(title) ? [] : own.flatMap(({ children }) => statements(children, topic));
  return [...said, ...inner.flatMap((list) => fromList(list, topic, false))];
}

function isTopic(title: string): boolean {
  return (title.match(/[\p{L}\d]{3,}/gu) ?? []).length >= 2;
}

/** What one block says. Where it begins with something strong, that is what it is about. */
function statements(content: readonly PhrasingContent[], topic: string): Passage[] {
  const [first, ...rest] = content;
  const lead = first?.type === 'strong' ? phrase(first.children).replace(/[\s:.]+$/, '') : '';
  const said = phrase(rest);
  const leads = said !== '' && (isTopic(lead) || (lead !== '' && said.startsWith('—')));
  const text = leads ? said.replace(/^[\s:.—–-]+/, '') : phrase(content);
  return split(text).filter((part) => !silentBlock.test(part)).map((part) => ({ topic: leads ? lead : topic, text: part }));
}

function split(text: string): string[] {
  // A list marker in the middle of a line is a list that was indented wrongly.
  return text.split(/\s\*\s*(?=\p{L}[^*]*(?:\s\*|$))/u).flatMap((part) => (part.length <= WHOLE_BLOCK ? [part] : sentences(part)));
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

function sentences(text: string): string[] {
  return [...segmenter.segment(text)].map(({ segment }) => shortened(segment.trim()));
}

function shortened(sentence: string): string {
  if (sentence.length <= LONGEST_SENTENCE) return sentence;
  const cut = sentence.slice(0, LONGEST_SENTENCE).toWellFormed();
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), LONGEST_SENTENCE / 2)).trimEnd()}…`;
}

/** Inline content as plain text: what links are called, but no addresses, pictures or markup; code keeps its quotes. */
function phrase(content: readonly PhrasingContent[]): string {
  const text = content
    .map(words)
    .join('')
    .replace(/\bhttps?:\/\/[^\s<>()]+/g, '')
    .replace(/\[(#\d+)\]\(?/g, '$1')
    .replace(/\(\s*\)|<\s*>/g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ([,;.)]|$)/g, '$1')
    .replace(/^[\s*_]+/, '');
  return withoutOpenEnd(text);
}

/** Without what would have introduced an address. By hand, since a pattern would look for it from every place. */
function withoutOpenEnd(text: string): string {
  let end = text.length;
  while (end > 0 && ' ([<:,;–-'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function words(node: PhrasingContent): string {
  switch (node.type) {
    case 'text':
      return node.value;
    case 'inlineCode':
      return `\`${node.value}\``;
    case 'break':
      return ' ';
    case 'link':
      return isBareAddress(node) ? '' : node.children.map(words).join('');
    case 'linkReference':
    case 'emphasis':
    case 'strong':
    case 'delete':
      return node.children.map(words).join('');
    default:
      return '';
  }
}

function isBareAddress({ url, children: [text] }: Link): boolean {
  return text?.type === 'text' && url.endsWith(text.value);
}
