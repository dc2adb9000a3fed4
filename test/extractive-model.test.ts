import { describe, expect, test } from 'vitest';
import { createExtractiveModel } from '../activities/models/extractive.ts';

const minutes = `# Allotment society, committee meeting of 9 July 2025

## Links

* **Recording**: <https://video.example.org/watch?v=allotment>
* **Issue**: <https://git.example.org/allotments/issues/12>

## Present

* Anna Decided, Ben Agreed, Carla Voted

## Announcements

* The summer fair is confirmed for 16 August at the old mill.
* No further news

## Reminders

* Remember to vote for the [gardener of the month](https://example.org/vote)

## Agenda

*Extracted from the **agenda** labeled issues prior to the meeting.

### Water

* Replace the pump in the lower well [#31](https://git.example.org/31)
  * Anna: the old pump broke down twice in June, and the plots below the path had no water for a week
  * Ben: is there still a guarantee on it?
  * Carla: repairing the old pump costs 400 €, a new pump costs 900 € and would last ten years
  * Agreed: we buy a new pump, and Ben will order it by 18 July

* Rain barrels for the upper plots [#29](https://git.example.org/29)
  * skipped as we ran out of time

* Meter readings [#27](https://git.example.org/27)

### Paths

* Gravel or bark on the main path [#33](https://git.example.org/33)
  * Dora, bark has to be renewed every second year
  * Emil: gravel is dearer at first and cheaper after five years
  * Dora: maybe we could try gravel on the first twenty metres
  * Decision: gravel, no objections from those in the meeting

* Bicycles on the main path [#34](https://git.example.org/34)
  * Emil: two children were nearly run over last month
  * Anna will put up a sign at each gate asking people to push their bicycles
  * let's continue the discussion in August

## Upcoming meetings

* **Calendar**: <https://calendar.example.org>

Click \`+Calendar\` at the bottom right to add it to your own calendar.
`;

describe('the summary of a meeting', () => {
  test('quotes what was decided and who does what, under the topics of the agenda', async () => {
    expect(await summaryOf(minutes)).toBe(
      [
        '- **Announcements** — The summer fair is confirmed for 16 August at the old mill.',
        '- **Replace the pump in the lower well #31** — Agreed: we buy a new pump, and Ben will order it by 18 July.',
        '- **Gravel or bark on the main path #33** — Decision: gravel, no objections from those in the meeting.',
        '- **Bicycles on the main path #34** — Anna will put up a sign at each gate asking people to push their bicycles.',
      ].join('\n'),
    );
  });

  test.each([
    { what: 'a recording', pattern: /recording|video/i },
    { what: 'who was there', pattern: /Carla Voted/ },
    { what: 'a reminder', pattern: /gardener|remember/i },
    { what: 'a heading', pattern: /^- \**(Agenda|Water|Paths|Links)\**\.?$/im },
    { what: 'a topic that was not discussed', pattern: /#29|#27|ran out of time/ },
    { what: 'a question', pattern: /guarantee/ },
    { what: 'where the next meeting is', pattern: /calendar/i },
    { what: 'an address', pattern: /https?:/ },
  ])('leaves out $what', async ({ pattern }) => {
    expect(await summaryOf(minutes)).not.toMatch(pattern);
  });

  test('is the same each time', async () => {
    expect(await summaryOf(minutes)).toBe(await summaryOf(minutes));
  });

  test.each([
    { topics: 2, bullets: 2 },
    { topics: 4, bullets: 4 },
    { topics: 10, bullets: 6 },
    { topics: 100, bullets: 7 },
  ])('of $topics topics has $bullets bullets', async ({ topics, bullets }) => {
    const summary = await summaryOf(meetingOn(topics));
    expect(summary.split('\n')).toHaveLength(bullets);
  });

  test('says more about a topic that was discussed at length', async () => {
    const debate = Array.from({ length: 24 }, (_, index) => `  * Agreed to repair thing${index} together with person${index} before month${index}`);
    expect((await summaryOf(`* The long list of repairs\n${debate.join('\n')}\n`)).match(/Agreed to repair/g)).toHaveLength(3);
  });
});

test('the summary of a text without topics quotes its sentences in their order', async () => {
  const summary = await summaryOf('# Letter\n\nThe upper pump was repaired by Anna.\n\nThe committee decided to raise the rent of all plots.\n');
  expect(summary).toBe('- The upper pump was repaired by Anna.\n- The committee decided to raise the rent of all plots.');
});

test('a heading stands over what is said below it', async () => {
  expect(await summaryOf('# Letter\n\n## The upper well\n\nIt was repaired in May by Anna.\n')).toBe('- **The upper well** — It was repaired in May by Anna.');
});

describe('the overall summary', () => {
  const summaries = `## 2025-07-09.md

- **Replace the pump in the lower well #31** — Agreed: we buy a new pump, and Ben will order it by 18 July.
- **Gravel on the main path #33** — Decision: gravel, no objections from those in the meeting.
- **Announcements** — The summer fair is confirmed for 16 August at the old mill.

## 2025-07-23.md

- **Replace the pump in the lower well #31** — Ben ordered the new pump, and it will arrive in August.
- **Summer fair** — The summer fair at the old mill is confirmed for 16 August.
`;

  test('keeps the topics of the summaries and names each matter once', async () => {
    const summary = await summaryOf(summaries, 'report');
    expect(summary.match(/\*\*Replace the pump/g)).toHaveLength(1);
    expect(summary.match(/summer fair (is|at)/g)).toHaveLength(1);
    expect(summary).toContain('- **Gravel on the main path #33** — Decision: gravel, no objections from those in the meeting.');
    expect(summary).not.toContain('.md');
  });

  test('knows the same statement in other forms of its words', async () => {
    const summary = await summaryOf('- The committee approves repairing all leaking wells\n- The committees approved the repair of every leaky well\n', 'report');
    expect(summary).toMatch(/^- .*(repairing|repair of).*$/);
  });
});

test.each([
  { of: 'nothing', text: '' },
  { of: 'blanks', text: ' \n\t\n' },
  { of: 'signs', text: '--- ** ?! #\n\n* *\n\n| | |\n' },
  { of: 'pictures', text: '👍 👍\n\n![alt](https://example.org/a.png)\n' },
  { of: 'addresses', text: '* <https://example.org>\n* https://example.org/b\n' },
  { of: 'code', text: '```\nnpm start\n```\n' },
  { of: 'headings', text: '# Minutes\n\n## Agenda\n' },
])('a text of $of is refused for good as empty', async ({ text }) => {
  await expect(summaryOf(text)).rejects.toMatchObject({ name: 'ModelError', kind: 'permanent', reason: 'model_empty' });
});

test.each([
  { language: 'German', text: 'Der Ausschuss hat den Haushalt beschlossen.', bullet: '- Der Ausschuss hat den Haushalt beschlossen.' },
  { language: 'Japanese', text: '本日の会議で予算案が承認されました。', bullet: '- 本日の会議で予算案が承認されました。' },
  { language: 'Arabic', text: 'قررت اللجنة الموافقة على الميزانية.', bullet: '- قررت اللجنة الموافقة على الميزانية.' },
  { language: 'one word', text: 'Approved', bullet: '- Approved.' },
])('a text in $language is quoted as well', async ({ text, bullet }) => {
  expect(await summaryOf(text)).toBe(bullet);
});

test('what looks like markup in a text is none in its summary', async () => {
  const summary = await summaryOf('We decided \\*now\\* on 1 < 2, <b>bold</b>, \\[x](javascript:alert(1)), \\<script> and `a_b*`.\n\n\\# Not a heading but decided');
  expect(summary).toBe(
    '- We decided \\*now\\* on 1 < 2, bold, \\[x\\](javascript:alert(1)), \\<script> and `a_b*`.\n- # Not a heading but decided.',
  );
});

test.each([
  { of: 'quotes in quotes', text: '>'.repeat(200_000) + ' It was decided to stop quoting' },
  { of: 'lists in lists', text: Array.from({ length: 2000 }, (_, depth) => `${' '.repeat(depth)}- It was decided on level ${depth}`).join('\n') },
  { of: 'one long word', text: 'a'.repeat(300_000) },
  { of: 'one long line', text: 'it was decided again and again '.repeat(10_000) },
])('a text of $of comes to an end, and its summary is short', async ({ text }) => {
  expect((await summaryOf(text)).length).toBeLessThan(10_000);
});

describe('told to stop', () => {
  test('it does not begin', async () => {
    const reason = new Error('stop');
    await expect(summaryOf(minutes, 'document', AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test('it stops in the middle of a long text', async () => {
    const startedAt = performance.now();
    const stopping = AbortSignal.timeout(100);
    await expect(summaryOf(meetingOn(100).repeat(200), 'document', stopping)).rejects.toBe(await reasonOf(stopping));
    expect(performance.now() - startedAt).toBeLessThan(1500);
  });
});

const topicNames = ['The gate', 'The well', 'The path', 'The shed', 'The fence', 'The hedge', 'The compost', 'The oven', 'The lawn', 'The roof', 'The pond', 'The bench'];

/** A meeting that agreed on one thing about each of many topics. */
function meetingOn(topics: number): string {
  const item = (_: unknown, index: number) => {
    const name = `${topicNames[index % topicNames.length]} of plot ${index}`;
    return `* ${name}\n  * Anna: neighbours of number ${index} complained\n  * Agreed to repair thing${index} together with person${index} before month${index}\n`;
  };
  return `${Array.from({ length: topics }, item).join('\n')}\n`;
}

async function summaryOf(text: string, task: 'document' | 'report' = 'document', signal = new AbortController().signal): Promise<string> {
  const summary = await createExtractiveModel().summarise({ task, title: 'Minutes', text, reportId: 'r1', operationId: 'o1', signal });
  return summary.text;
}

function reasonOf(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)));
}
