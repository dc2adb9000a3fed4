/** Says that nothing was said, or only asks. */
const nothing: readonly RegExp[] = [
  /\?\s*$/,
  /\bno (new |other |further )?(updates?|news|announcements?|report)\b|\bnothing (important|to (discuss|share|report|add)|for|new)\b/i,
  /^(let.?s |we )?skip\b|\bskip(ped|ping)? (this|for|as|since|due)\b|, skipping$|\bran out of time\b|\bnot (here|discussed|joining)\b/i,
  /\bcovered (in|under|above)\b|\b(removed?|drop(ped)?) (it |this )?(from )?(the )?([\w-]+ )?(agenda|tag)\b|\bon (the )?agenda (as|for)\b|\bdiscussion continu|\bcontinu\w+ (the )?discussion\b/i,
];

interface Cue {
  readonly pattern: RegExp;
  readonly weight: number;
}

/** Words that speak for a statement, or against it. Each pattern that fits multiplies the weight. */
const cues: readonly Cue[] = [
  // Decided, or come to pass.
  { pattern: /\b(agree[ds]?|agreement|decid\w+|decision|approv\w+|adopt\w*|consensus|resolved|ratif\w+|elected|appointed|confirmed|accepted|rejected|concluded|no objections?|closed)\b/i, weight: 1.6 },
  { pattern: /\b(vot(e|es|ed|ing)|postpon\w+|delay\w+|cancel\w+|announc\w+|launch\w+|releas(ed|ing)|merge[ds]?|land(ed)?|deadlines?|blocked|going to change|strong support)\b/i, weight: 1.4 },
  { pattern: /\b(tl;?dr|in short|in summary|overall|bottom line|outcome)\b/i, weight: 1.6 },
  // To be done.
  { pattern: /\b(will (?!likely|probably|never)\w+|['’]ll \w+|(is|are) going to|next steps?|action items?|volunteer\w*|propos(es?|ed|al)|recommend\w*|plan(s|ned|ning)? (to|on)|must|needs? (a|to)|follow(ed)? up)\b/i, weight: 1.3 },
  // Told with a number or a day.
  { pattern: /(\d+(\.\d+)?\s?%|[$€£]\s?\d|\b\d{1,2}(st|nd|rd|th)\b|\b\d{1,2}[-–]\d{1,2}\b|\b(January|February|March|April|June|July|August|September|October|November|December)\b)/, weight: 1.15 },
  // Guessed, or broken off.
  { pattern: /\b(maybe|perhaps|not sure|i think|i guess|possibly|likely|might|probably)\b/i, weight: 0.7 },
  { pattern: /(\b(the|to|of|and|a|non|with|for)|…|\.\.\.)\s*$/i, weight: 0.4 },
  // Only about the meeting itself, or put off.
  { pattern: /\b((was|were|we) discussed|let.s wait|(have|having) the discussion|(back to|on|in) github|please (review|comment|jump|take|chime)|chime in|see (above|below))\b/i, weight: 0.4 },
  { pattern: /^(remember|reminder|click|join|welcome|thanks?|thank you|hello|hi)\b/i, weight: 0.2 },
];

/** Begins as an outcome is written down. */
export function isOutcome(text: string): boolean {
  return /^(agreed|agreement|decision|decided|resolution|resolved|outcome|result|conclusion|action( item)?|to-?do|next steps?|vote)\b/i.test(text);
}

export function saysNothing(text: string): boolean {
  return nothing.some((pattern) => pattern.test(text));
}

/** How much a statement of minutes or reports sounds like an outcome: above 1 like one, near 0 like none. */
export function cueWeight(text: string): number {
  return cues.reduce((weight, cue) => (cue.pattern.test(text) ? weight * cue.weight : weight), isOutcome(text) ? 1.5 : 1);
}
