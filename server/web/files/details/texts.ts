import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';

/** Every English sentence of what stands on files: tags, stars, a label and fields. */
export const detailTexts = {
  heading: 'Details',
  rating: {
    name: 'Rating',
    of: (stars: number) => `${stars} of 5 stars`,
    give: (stars: number) => (stars === 1 ? 'Give 1 star' : `Give ${stars} stars`),
    remove: (stars: number) => `${stars} of 5 stars. Take the rating away`,
  },
  tags: {
    name: 'Tags',
    add: 'Add a tag',
    submit: 'Add',
    remove: (tag: string) => `Remove the tag ${bidiIsolate(tag)}`,
  },
  label: {
    name: 'Label',
    edit: 'Change the label',
    set: 'Add a label',
    text: 'Text',
    help: 'Leave it empty for no label.',
    color: 'Color',
    submit: 'Save',
    colors: {
      '': 'None',
      '#d03b2f': 'Red',
      '#d9822b': 'Orange',
      '#c9a227': 'Yellow',
      '#3f8f4f': 'Green',
      '#2f6fd0': 'Blue',
      '#8250c8': 'Purple',
    } as Readonly<Record<string, string>>,
  },
  fields: { edit: 'Fill in', submit: 'Save', nothing: 'Nothing chosen', stars: (count: number) => `${count} of 5` },
  done: {
    tagged: 'The tags are changed.',
    rated: 'The rating is changed.',
    labelled: 'The label is changed.',
    filled: 'The details are saved.',
  },
  /** In the place of the name of a parameter. */
  subject: { tags: 'This tag', label: 'This label', field: (name: string) => bidiIsolate(name) },
} as const;
