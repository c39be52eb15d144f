import type { Response } from 'express';

/** The content of a file gets an origin of its own, and may do and load nothing, whatever a browser takes it for. */
export function confine(response: Response): void {
  response.setHeader('Content-Security-Policy', "sandbox; default-src 'none'; frame-ancestors 'none'");
  response.setHeader('X-Content-Type-Options', 'nosniff');
}

/** For frames without an origin: what they ask for carries no cookies, and proves itself by its address. */
export function openForFrames(response: Response): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', 'Accept-Ranges, Content-Length, Content-Range');
}

/** They ask before they take a chunk from the middle. */
export function answerFrames(response: Response): void {
  openForFrames(response);
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD');
  response.setHeader('Access-Control-Allow-Headers', 'Range');
  response.setHeader('Access-Control-Max-Age', '86400');
  response.status(204).end();
}
