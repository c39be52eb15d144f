/** The complete body of a successful JSON reply, which stays in memory for others. */
export class SerializedBody {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}
