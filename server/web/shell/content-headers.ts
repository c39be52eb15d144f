import type { Response } from 'express';

/** Gives file content an origin of its own, in which it can run and load nothing, whatever type a browser detects. */
export function confine(response: Response): void {
  response.setHeader('Content-Security-Policy', "sandbox; default-src 'none'; frame-ancestors 'none'");
  response.setHeader('X-Content-Type-Options', 'nosniff');
}

/** For sandboxed frames: their requests carry no cookies, and are authorized by their address. */
export function openForFrames(response: Response): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', 'Accept-Ranges, Content-Length, Content-Range');
}

/** They send a preflight before they request a range. */
export function answerFrames(response: Response): void {
  openForFrames(response);
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD');
  response.setHeader('Access-Control-Allow-Headers', 'Range');
  response.setHeader('Access-Control-Max-Age', '86400');
  response.status(204).end();
}
