import winkNLP from 'wink-nlp';
import type { ItemToken, ItsFunction } from 'wink-nlp';
import englishModel from 'wink-eng-lite-web-model';
import { cueWeight, isOutcome, saysNothing } from './cues.ts';
import { newSection, passagesOf } from './passages.ts';
import type { Passage } from './passages.ts';
import { partsOf } from './parts.ts';
import type { Pause } from './ranking.ts';

export interface Statement extends Passage {
  /** Stems of the words that carry meaning. */
  readonly words: ReadonlySet<string>;
  readonly topicWords: ReadonlySet<string>;
  /** How much it sounds like an outcome. */
  readonly weight: number;
}

/** With fewer words that carry meaning, a line says nothing by itself. */
const ENOUGH_WORDS = 2;

const nlp = winkNLP(englishModel, []);

// wink knows its accessors by identity and quietly ignores any other; what its types say of their parameters is not so.
const accessors: object = nlp.its;
const kind: ItsFunction<string> = Reflect.get(accessors, 'type');
const isStopWord: ItsFunction<boolean> = Reflect.get(accessors, 'stopWordFlag');
const stem: ItsFunction<string> = Reflect.get(accessors, 'stem');

/** Everything a document states, in order. Where no line says much, the short ones have to do. */
export async function statementsIn(markdown: string, pause: Pause): Promise<readonly Statement[]> {
  const section = newSection();
  const statements: Statement[] = [];
  for (const part of partsOf(markdown)) {
    for (const passage of passagesOf(part, section)) {
      statements.push(measured(passage));
      await pause();
    }
    await pause();
  }
  return telling(statements);
}

function telling(statements: readonly Statement[]): readonly Statement[] {
  const full = statements.filter(({ words, text }) => words.size >= ENOUGH_WORDS && !saysNothing(text));
  return full.length > 0 ? full : statements.filter(({ words }) => words.size > 0);
}

function measured({ topic, text }: Passage): Statement {
  const said = withoutSpeaker(text);
  return { topic, text, words: stems(said), topicWords: stems(topic), weight: cueWeight(said) };
}

/** Who said something makes it no more like the rest of what they said; that it was agreed, does. */
function withoutSpeaker(text: string): string {
  return isOutcome(text) ? text : text.replace(/^[\p{L}.'-]+( [\p{L}.'-]+)?\s?[:,–-]\s/u, '');
}

function stems(text: string): Set<string> {
  const tokens = nlp.readDoc(text).tokens().filter((token: ItemToken) => token.out(kind) === 'word' && token.out(isStopWord) !== true);
  return new Set(tokens.length() > 0 ? tokens.out(stem) : otherWords(text));
}

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** In scripts that the English model has no words for. */
function otherWords(text: string): string[] {
  return [...segmenter.segment(text)].flatMap(({ segment, isWordLike }) => (isWordLike && !/^[\p{ASCII}]+$/u.test(segment) ? [segment] : []));
}
