import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFile, chmod, mkdir, mkdtemp, realpath, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFolderSource } from '../activities/sources/folder.ts';
import type { FolderSourceOptions } from '../activities/sources/folder.ts';
import type { SourceReason } from '../activities/sources/source.ts';

const quiet = new AbortController().signal;

describe('a listing', () => {
  test('names Markdown and text by name, with their sizes, through all subfolders', async () => {
    const root = await folderWith({ 'm/b.md': 'bb', 'm/a.TXT': 'a', 'm/Z.markdown': 'zzz', 'm/sub/deep/c.md': 'cccc', 'm/ä.md': 'ü', 'other/d.md': 'd' });
    expect(await createFolderSource({ root }).list('m')).toEqual({
      documents: [
        { name: 'Z.markdown', bytes: 3 },
        { name: 'a.TXT', bytes: 1 },
        { name: 'b.md', bytes: 2 },
        { name: 'sub/deep/c.md', bytes: 4 },
        { name: 'ä.md', bytes: 2 },
      ],
      skipped: [],
    });
  });

  test('says of everything else why it was skipped', async () => {
    const root = await folderWith({
      'm/kept.md': 'kept',
      'm/minutes.pdf': '%PDF',
      'm/noextension': 'x',
      'm/.hidden.md': 'x',
      'm/.git/config.md': 'x',
      'm/empty.md': '',
      'm/large.md': 'x'.repeat(101),
      'm/line\nbreak.md': 'x',
      'm/gnp\u202Edm.md': 'x',
      'm/1/2/3/4/5/6/7/8/9/deep.md': 'x',
    });
    const { documents, skipped } = await createFolderSource({ root, maxDocumentBytes: 100 }).list('m');
    expect(documents).toEqual([{ name: 'kept.md', bytes: 4 }]);
    expect(skipped).toEqual([
      { name: '.git', why: 'it is hidden' },
      { name: '.hidden.md', why: 'it is hidden' },
      { name: '1/2/3/4/5/6/7/8/9', why: 'it lies too deep' },
      { name: 'empty.md', why: 'it is empty' },
      { name: 'gnp\uFFFDdm.md', why: 'its name holds characters that cannot be shown' },
      { name: 'large.md', why: 'it is too large' },
      { name: 'line\uFFFDbreak.md', why: 'its name holds characters that cannot be shown' },
      { name: 'minutes.pdf', why: 'it is neither Markdown nor text' },
      { name: 'noextension', why: 'it is neither Markdown nor text' },
    ]);
  });

  test('follows links inside the root, and no other', async () => {
    const outside = await folderWith({ 'secret.md': 'secret', 'more/secret.md': 'secret' });
    const root = await folderWith({ 'm/a.md': 'a', 'shelf/b.md': 'b', 'shelf/c/d.md': 'd' });
    await symlink('../shelf/b.md', join(root, 'm/in.md'));
    await symlink('../shelf/c', join(root, 'm/folder'));
    await symlink(join(outside, 'secret.md'), join(root, 'm/out.md'));
    await symlink(join(outside, 'more'), join(root, 'm/outfolder'));
    await symlink('nowhere', join(root, 'm/dangling.md'));
    await symlink('itself.md', join(root, 'm/itself.md'));
    expect(await createFolderSource({ root }).list('m')).toEqual({
      documents: [{ name: 'a.md', bytes: 1 }, { name: 'folder/d.md', bytes: 1 }, { name: 'in.md', bytes: 1 }],
      skipped: [
        { name: 'dangling.md', why: 'it does not exist' },
        { name: 'itself.md', why: 'it is a link that leads nowhere' },
        { name: 'out.md', why: 'it leads out of the documents folder' },
        { name: 'outfolder', why: 'it leads out of the documents folder' },
      ],
    });
  });

  test('ends where links lead in circles', async () => {
    const root = await folderWith({ 'm/a.md': 'a', 'm/sub/b.md': 'b' });
    await symlink('..', join(root, 'm/sub/up'));
    await symlink('.', join(root, 'm/again'));
    expect(await createFolderSource({ root }).list('m')).toEqual({
      documents: [{ name: 'a.md', bytes: 1 }, { name: 'sub/b.md', bytes: 1 }],
      skipped: [{ name: 'again', why: 'it is listed under another name' }, { name: 'sub/up', why: 'it is listed under another name' }],
    });
  });

  test('skips names that are not UTF-8, pipes and sockets', async () => {
    const root = await folderWith({ 'm/a.md': 'a' });
    await writeFile(Buffer.concat([Buffer.from(`${root}/m/`), Buffer.from([0xff, 0xfe]), Buffer.from('.md')]), 'x');
    execFileSync('mkfifo', [join(root, 'm/pipe.md')]);
    await symlink('pipe.md', join(root, 'm/topipe.md'));
    await listeningAt(join(root, 'm/socket.md'));
    const { documents, skipped } = await createFolderSource({ root }).list('m');
    expect(documents).toEqual([{ name: 'a.md', bytes: 1 }]);
    expect(skipped).toEqual([
      { name: 'pipe.md', why: 'it is not a regular file' },
      { name: 'socket.md', why: 'it is not a regular file' },
      { name: 'topipe.md', why: 'it is not a regular file' },
      { name: '\uFFFD\uFFFD.md', why: 'its name holds characters that cannot be shown' },
    ]);
  });

  test('of thousands of other files stays short', async () => {
    const root = await folderWith({ 'm/a.md': 'a' });
    execFileSync('sh', ['-c', 'seq 1500 | sed "s/$/.pdf/" | xargs touch'], { cwd: join(root, 'm') });
    const { documents, skipped } = await createFolderSource({ root }).list('m');
    expect(documents).toEqual([{ name: 'a.md', bytes: 1 }]);
    expect(skipped).toHaveLength(1001);
    expect(skipped.at(-1)).toEqual({ name: '500 more', why: 'they are too many to name' });
  });

  test.each([
    { happens: 'more documents than allowed', files: { 'm/a.md': 'a', 'm/b.md': 'b', 'm/c.md': 'c' }, reason: 'too_many' },
    { happens: 'no file', files: { 'other/a.md': 'a' }, reason: 'not_found' },
    { happens: 'nothing but skipped files', files: { 'm/a.pdf': 'a', 'm/b.md': '' }, reason: 'no_documents' },
    { happens: 'a file in its place', files: { m: 'a' }, reason: 'unreadable' },
  ] satisfies { happens: string; files: Record<string, string>; reason: SourceReason }[])('is refused for good with $happens', async ({ files, reason }) => {
    const root = await folderWith(files);
    await expect(createFolderSource({ root, maxDocuments: 2 }).list('m')).rejects.toMatchObject({ kind: 'permanent', reason });
  });

  test('of a root that does not exist is refused for good', async () => {
    await expect(createFolderSource({ root: '/nowhere/at/all' }).list('m')).rejects.toMatchObject({ kind: 'permanent', reason: 'not_found' });
  });
});

describe('a path', () => {
  test.each([
    { path: '..' },
    { path: '../m' },
    { path: 'm/../../m' },
    { path: 'm/..' },
    { path: '/etc' },
    { path: '//etc' },
    { path: '\\etc' },
    { path: 'C:\\Windows' },
    { path: 'm\\..\\..' },
    { path: 'm\0/etc' },
    { path: 'out' },
    { path: 'out/more' },
  ])('of %j never leaves the root', async ({ path }) => {
    const root = await folderWith({ 'm/a.md': 'a' });
    await symlink(await folderWith({ 'a.md': 'secret', 'more/a.md': 'secret' }), join(root, 'out'));
    const source = createFolderSource({ root });
    await expect(source.list(path)).rejects.toMatchObject({ kind: 'permanent', reason: 'outside_root' });
    await expect(source.read(path, 'a.md', quiet)).rejects.toMatchObject({ kind: 'permanent', reason: 'outside_root' });
    await expect(source.read('m', `${path}/a.md`, quiet)).rejects.toMatchObject({ kind: 'permanent' });
  });

  test('next to the root with the same beginning is outside', async () => {
    const parent = await folderWith({ 'root/m/a.md': 'a', 'root-other/a.md': 'secret' });
    await symlink('../root-other', join(parent, 'root/link'));
    await expect(createFolderSource({ root: join(parent, 'root') }).list('link')).rejects.toMatchObject({ reason: 'outside_root' });
  });

  test.each([{ path: '.' }, { path: '' }, { path: './' }])('of %j is the root itself', async ({ path }) => {
    const source = createFolderSource({ root: await folderWith({ 'a.md': 'a' }) });
    expect([await source.list(path), await source.read(path, 'a.md', quiet)]).toMatchObject([{ documents: [{ name: 'a.md' }] }, { text: 'a' }]);
  });

  test('may lead through a root that is a link itself', async () => {
    const root = await folderWith({ 'm/a.md': 'a' });
    const link = join(await folderWith({}), 'documents');
    await symlink(root, link);
    expect(await createFolderSource({ root: link }).list('m')).toMatchObject({ documents: [{ name: 'a.md' }] });
  });
});

describe('a document', () => {
  test('is read with the size and digest of its bytes, without a byte order mark', async () => {
    const content = '\uFEFF# Minutes\r\n\r\nÜber 報告\n';
    const root = await folderWith({ 'm/sub/a.md': content });
    expect(await createFolderSource({ root }).read('m', 'sub/a.md', quiet)).toEqual({
      name: 'sub/a.md',
      text: content.slice(1),
      bytes: Buffer.byteLength(content),
      sha256: createHash('sha256').update(content).digest('hex'),
    });
  });

  test.each([
    { content: Buffer.from([0x23, 0x20, 0xff, 0xfe]), reason: 'not_text', of: 'stray bytes' },
    { content: Buffer.from('# Minutes', 'utf16le'), reason: 'not_text', of: 'UTF-16' },
    { content: Buffer.from('Gr\u00FC\u00DFe', 'latin1'), reason: 'not_text', of: 'Latin-1' },
    { content: Buffer.from([0xed, 0xa0, 0x80]), reason: 'not_text', of: 'a lone surrogate' },
    { content: Buffer.from('a\0b'), reason: 'not_text', of: 'a NUL' },
    { content: Buffer.from('\uFEFF \r\n\t\n'), reason: 'empty', of: 'blanks' },
    { content: Buffer.from('x'.repeat(101)), reason: 'too_large', of: 'too many bytes' },
  ] satisfies { content: Buffer; reason: SourceReason; of: string }[])('of $of is refused for good as $reason', async ({ content, reason }) => {
    const root = await folderWith({ 'm/a.md': content });
    const source = createFolderSource({ root, maxDocumentBytes: 100 });
    await expect(source.read('m', 'a.md', quiet)).rejects.toMatchObject({ kind: 'permanent', reason });
  });

  test('that grows endlessly is not read to its end', async () => {
    const root = await folderWith({ 'm/a.md': 'a' });
    await truncate(join(root, 'm/a.md'), 50_000_000_000);
    await expect(createFolderSource({ root }).read('m', 'a.md', quiet)).rejects.toMatchObject({ reason: 'too_large' });
  });

  test.each([
    { happens: 'was removed since', change: (file: string) => rm(file), reason: 'not_found' },
    { happens: 'became a folder', change: (file: string) => rm(file).then(() => mkdir(file)), reason: 'unreadable' },
    { happens: 'became a pipe', change: (file: string) => rm(file).then(() => execFileSync('mkfifo', [file])), reason: 'unreadable' },
    { happens: 'became a link out of the root', change: (file: string) => rm(file).then(() => symlink('/etc/hostname', file)), reason: 'outside_root' },
    { happens: 'was emptied', change: (file: string) => truncate(file), reason: 'empty' },
    { happens: 'became binary', change: (file: string) => appendFile(file, Buffer.from([0])), reason: 'not_text' },
  ] satisfies { happens: string; change: (file: string) => Promise<unknown>; reason: SourceReason }[])('that $happens is refused as $reason', async ({ change, reason }) => {
    const root = await folderWith({ 'm/a.md': 'a' });
    const source = createFolderSource({ root });
    await source.list('m');
    await change(join(root, 'm/a.md'));
    await expect(source.read('m', 'a.md', quiet)).rejects.toMatchObject({ kind: 'permanent', reason });
  });

  test('of another kind is not read', async () => {
    const root = await folderWith({ 'm/a.pem': 'secret' });
    await expect(createFolderSource({ root }).read('m', 'a.pem', quiet)).rejects.toMatchObject({ reason: 'not_text' });
  });

  test('is not read once the caller has stopped', async () => {
    const root = await folderWith({ 'm/a.md': 'a' });
    const reason = new Error('stop');
    await expect(createFolderSource({ root }).read('m', 'a.md', AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test('says nothing of paths when it fails', async () => {
    const root = await folderWith({});
    await expect(createFolderSource({ root }).read('m', 'a.md', quiet)).rejects.toMatchObject({ message: 'it does not exist' });
  });
});

test.skipIf(process.getuid?.() === 0)('a closed folder inside is skipped, a closed document refused', async () => {
  const root = await folderWith({ 'm/a.md': 'a', 'm/closed/b.md': 'b', 'm/c.md': 'c' });
  await chmod(join(root, 'm/closed'), 0);
  await chmod(join(root, 'm/c.md'), 0);
  const source = createFolderSource({ root });
  expect((await source.list('m')).skipped).toEqual([{ name: 'closed', why: 'it may not be opened' }]);
  await expect(source.read('m', 'c.md', quiet)).rejects.toMatchObject({ kind: 'permanent', reason: 'unreadable' });
});

async function folderWith(files: Readonly<Record<string, string | Buffer>>): Promise<FolderSourceOptions['root']> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'documents-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
  return root;
}

async function listeningAt(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
}
