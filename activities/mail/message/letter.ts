import { escapedHtml, oneLine, shortened } from './text.ts';

export interface LetterContent {
  /** `2025-07`. */
  readonly month: string;
  readonly reportTitle: string;
  readonly link: string;
  /** What a correction has to say; null in the report's own email. */
  readonly correction: string | null;
}

const monthNames = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

/** The two bodies of one email. */
export function letter(content: LetterContent): { text: string; html: string } {
  const title = shortened(oneLine(content.reportTitle), 150);
  const link = webLink(content.link);
  const report = `report "${title}" for ${monthName(content.month)}`;
  const opening = content.correction === null ? `The ${report} is ready:` : `A correction to the ${report}:`;
  const said = content.correction === null ? [] : content.correction.split(/\r\n?|\n/).map(oneLine);
  const closing = 'The link is yours alone and always leads to the current state of this report, also when it is withdrawn.';
  return {
    text: [opening, ...(said.length === 0 ? [] : ['', ...said]), '', link, '', closing, ''].join('\n'),
    html: page(title, [
      `<p>${escapedHtml(opening)}</p>`,
      ...(said.length === 0 ? [] : [`<p>${said.map(escapedHtml).join('<br>\n')}</p>`]),
      `<p>\n<a href="${escapedHtml(link)}">${escapedHtml(link)}</a>\n</p>`,
      `<p>${closing}</p>`,
    ]),
  };
}

function page(title: string, blocks: readonly string[]): string {
  const head = `<head>\n<meta charset="utf-8">\n<title>${escapedHtml(title)}</title>\n</head>`;
  return `<!doctype html>\n<html lang="en">\n${head}\n<body>\n${blocks.join('\n')}\n</body>\n</html>\n`;
}

function monthName(month: string): string {
  const [year = '', number = ''] = oneLine(month).split('-');
  const name = monthNames[Number(number) - 1];
  return name === undefined ? oneLine(month) : `${name} ${year}`;
}

/** As a browser would write it, so that nothing in it ends the line or the attribute. */
function webLink(link: string): string {
  const url = URL.parse(link);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) throw new RangeError('an email needs a link to a web page');
  return url.href;
}
