import { centrality, likeness, overlap } from './ranking.ts';
import type { Pause } from './ranking.ts';
import type { Statement } from './statements.ts';

/** Beyond this, comparing everything with everything would take too long; the likeliest are compared. */
const MOST_COMPARED = 400;

/** Two statements that share more of their words say the same. */
const SAME = 0.6;

export interface Picked {
  readonly topic: string;
  readonly texts: readonly string[];
}

/** The statements that stand for all of them, by topic and in their order: `most` at most. */
export async function pick(statements: readonly Statement[], most: number, pause: Pause): Promise<Picked[]> {
  const topics = topicsOf(statements);
  const compared = likeliest(statements);
  const central = await centrality(compared.map(({ words }) => words), pause);
  const ranked = compared
    .map((statement, index) => ({ statement, score: (0.7 + (central[index] ?? 0)) * standing(statement, topics) }))
    .toSorted((a, b) => b.score - a.score);
  return byTopic(statements, chosen(ranked, topics, most));
}

interface Scored {
  readonly statement: Statement;
  readonly score: number;
}

type Topics = ReadonlyMap<string, readonly Statement[]>;

function topicsOf(statements: readonly Statement[]): Topics {
  return Map.groupBy(statements, ({ topic }) => topic);
}

/** What speaks for a statement besides its words: how it sounds, its length, and its place in its topic. */
function standing(statement: Statement, topics: Topics): number {
  const topic = topics.get(statement.topic) ?? [];
  // What was talked about for long matters more, and what was said last is more often how it ended.
  const weightOfTopic = statement.topic === '' ? 1 : 1 + 0.15 * Math.log(topic.length);
  const lateness = statement.topic === '' ? 1 : 1 + (0.2 * topic.indexOf(statement)) / topic.length;
  return statement.weight * fitness(statement) * weightOfTopic * lateness;
}

/** Neither a fragment nor a speech. */
function fitness({ words }: Statement): number {
  if (words.size < 5) return words.size < 3 ? 0.6 : 0.8;
  return words.size > 20 ? 0.8 : 1;
}

function likeliest(statements: readonly Statement[]): readonly Statement[] {
  if (statements.length <= MOST_COMPARED) return statements;
  const frequency = new Map<string, number>();
  for (const { words } of statements) for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const likelihood = ({ words, weight }: Statement) =>
    (weight * [...words].reduce((sum, word) => sum + Math.log(frequency.get(word) ?? 1), 0)) / (words.size + 5);
  const ranked = statements.map((statement) => ({ statement, likelihood: likelihood(statement) })).toSorted((a, b) => b.likelihood - a.likelihood);
  return ranked.slice(0, MOST_COMPARED).map(({ statement }) => statement);
}

/** First the best of each topic, until there are enough; then what else was said about those that were discussed at length. */
function chosen(ranked: readonly Scored[], topics: Topics, most: number): ReadonlySet<Statement> {
  const leading: Scored[] = [];
  for (const candidate of ranked) {
    if (leading.length === most) break;
    if (leading.every((other) => !isSameTopic(candidate, other) && isNew(candidate, other))) leading.push(candidate);
  }
  const picked = [...leading];
  for (const candidate of ranked) {
    const ofTopic = picked.filter((other) => isSameTopic(candidate, other));
    const [first] = ofTopic;
    const isWorthIt = first !== undefined && candidate.score > first.score / 2 && ofTopic.length < allowance(first, topics);
    if (isWorthIt && picked.every((other) => isNew(candidate, other))) picked.push(candidate);
  }
  return new Set(picked.map(({ statement }) => statement));
}

/** One statement for a topic, more for one that was discussed at length, or that is a mere heading above many things. */
function allowance({ statement: { topic, topicWords } }: Scored, topics: Topics): number {
  if (topicWords.size < 2) return 2;
  return Math.min(3, 1 + Math.floor((topics.get(topic)?.length ?? 0) / 12));
}

function isNew(one: Scored, other: Scored): boolean {
  return overlap(one.statement.words, other.statement.words) < SAME;
}

function isSameTopic({ statement: one }: Scored, { statement: other }: Scored): boolean {
  if (one.topic === '' || other.topic === '') return false;
  return one.topic === other.topic || (one.topicWords.size > 1 && likeness(one.topicWords, other.topicWords) > SAME);
}

function byTopic(statements: readonly Statement[], picked: ReadonlySet<Statement>): Picked[] {
  const topics: { topic: string; texts: string[] }[] = [];
  for (const { topic, text } of statements.filter((statement) => picked.has(statement))) {
    const last = topics.at(-1);
    if (last !== undefined && last.topic === topic && topic !== '') last.texts.push(text);
    else topics.push({ topic, texts: [text] });
  }
  return topics;
}
