/** A value that is refused, and the name of the field it was given in. The message is a sentence for people. */
export class FieldProblem extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.name = new.target.name;
    this.field = field;
  }
}
