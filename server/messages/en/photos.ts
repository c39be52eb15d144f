/** Photos by time. */
export const photosMessages = {
  'photos.sums':
    '{films, plural, =0 {{photos, plural, one {# photo} other {# photos}}} other {{photos, plural, =0 {} one {# photo, } other {# photos, }}{films, plural, one {# video} other {# videos}}}}',
  'photos.ofOthers': 'Photos that others share are in the {list}',
  'photos.list': 'list',
  'photos.months': 'Months',
  'photos.goTo': 'Go to month',
  'photos.goToValue': '{month}, {sums}',
  'photos.beside': 'Later and earlier months',
  'photos.later': 'Later: {month}',
  'photos.earlier': 'Earlier: {month}',
  'photos.pastDays': 'On this day',
  'photos.yearsAgo': '{years, plural, one {# year ago} other {# years ago}}',
} as const;
