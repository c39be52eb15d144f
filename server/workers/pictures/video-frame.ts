import { spawn } from 'node:child_process';
import type { OpenInherited } from '../inherited-file.ts';
import { JobError } from '../job-error.ts';
import type { ThumbnailShape } from '../thumbnails/jobs.ts';
import { boxOf, shrink } from './shrink.ts';

/** Seconds into the video: after most titles and black beginnings, then the first frame. */
const MOMENTS = [3, 0];
/** Seconds of processor time per try. */
const MAX_TIME = 8;
/** Bytes of the frame as PNG, and of one allocation of the program. */
const MAX_FRAME = 64 * 1024 * 1024;
const MAX_ALLOCATION = 256 * 1024 * 1024;
/** Allowed containers. Playlists are not among them, because they name other files. */
const FORMATS = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,asf,mpeg,mpegts,mpegvideo,ogg,flv';

/**
 * A frame of a video, by the ffmpeg installed on this machine. It gets only the open file: no network, no other file, no
 * terminal. It ends together with this worker, because its output pipe closes.
 * @throws JobError `crashed` or `timeout` also when ffmpeg could not be started, or was killed
 */
export async function videoThumbnail(
  file: OpenInherited,
  shapes: readonly ThumbnailShape[],
  ffmpeg: string | null,
): Promise<Uint8Array[]> {
  if (ffmpeg === null) throw new JobError('unsupported', 'no ffmpeg on this machine');
  let failure = new JobError('unsupported', 'no picture in it');
  for (const moment of MOMENTS) {
    try {
      const frame = await frameAt(ffmpeg, file, moment, shapes);
      if (frame.length > 0) return await shrink(frame, shapes);
    } catch (error) {
      failure = error as JobError;
    }
  }
  throw failure;
}

/** Exit codes of a shell or loader that could not start the program (POSIX.1-2024, XCU 2.8.2). */
const NOT_STARTED = [126, 127];

function frameAt(
  ffmpeg: string,
  file: OpenInherited,
  moment: number,
  shapes: readonly ThumbnailShape[],
): Promise<Buffer> {
  // The shorter side is as long as the longer requested one, which is enough for either fit.
  const { width, height } = boxOf(shapes);
  const side = Math.max(width, height);
  const inherited = process.platform === 'linux';
  const input = inherited ? 'file:/proc/self/fd/3' : `file:${file.path}`;
  const options = [
    ...['-nostdin', '-hide_banner', '-v', 'error', '-threads', '1', '-timelimit', String(MAX_TIME)],
    ...['-max_alloc', String(MAX_ALLOCATION), '-protocol_whitelist', 'file', '-format_whitelist', FORMATS],
    ...['-ss', String(moment), '-i', input, '-map', '0:V:0', '-frames:v', '1', '-an', '-sn', '-dn'],
    ...['-vf', `scale='min(iw,max(${side},iw*${side}/ih))':-1`, '-threads', '1', '-f', 'image2pipe', '-c:v', 'png'],
    'pipe:1',
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(ffmpeg, options, {
      env: {},
      cwd: '/',
      stdio: ['ignore', 'pipe', 'ignore', inherited ? file.fd : 'ignore'],
    });
    const chunks: Buffer[] = [];
    let length = 0;
    child.stdout?.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAX_FRAME) chunks.push(chunk);
      else child.kill('SIGKILL');
    });
    // These errors say nothing about the video.
    child.on('error', (error) => reject(new JobError('crashed', error.message)));
    child.on('close', (code, signal) => {
      if (length > MAX_FRAME) reject(new JobError('too_large', 'a frame of too many bytes'));
      else if (signal !== null || NOT_STARTED.includes(code ?? 0)) {
        reject(new JobError(signal === 'SIGXCPU' ? 'timeout' : 'crashed', `ffmpeg ended by ${signal ?? code}`));
      } else resolve(code === 0 ? Buffer.concat(chunks) : Buffer.alloc(0));
    });
  });
}
