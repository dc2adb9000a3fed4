import { Readable } from 'node:stream';
import type { SendLimit } from '../mail.ts';
import type { Dialogue } from './outcome.ts';

// Small next to what streams and sockets hold (64 KiB each), so that little is still on its way when the end is reached.
const CHUNK_BYTES = 16 * 1024;

/**
 * The message as the connection reads it, which it begins only after the server's 354, and whose end makes it write the
 * final dot. So the two checks of the send limit sit here: before the first bytes, and before the last.
 */
export function bodyOf(raw: Buffer, limit: SendLimit, dialogue: Dialogue): Readable {
  let sent = 0;
  return new Readable({
    // Nothing is read ahead: the next read comes only when the last chunk was taken.
    highWaterMark: 1,
    read() {
      const isAtAnEnd = sent === 0 || sent === raw.length;
      if (isAtAnEnd && limit.expired()) {
        dialogue.stage = 'held_back';
        this.destroy(new Error('the send limit has passed'));
      } else if (sent === raw.length) {
        dialogue.stage = 'dot';
        this.push(null);
      } else {
        const chunk = raw.subarray(sent, sent + CHUNK_BYTES);
        dialogue.stage = 'data';
        sent += chunk.length;
        this.push(chunk);
      }
    },
  });
}
