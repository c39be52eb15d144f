/** Photos by time. */
export const photosMessages = {
  'photos.sums':
    '{films, plural, =0 {{photos, plural, one {# photo} other {# photos}}} other {{photos, plural, =0 {} one {# photo, } other {# photos, }}{films, plural, one {# video} other {# videos}}}}',
  'photos.ofOthers': 'Photos that others share with you are only in {list}',
  'photos.list': 'the list of all photos',
  'photos.months': 'Months',
  'photos.goTo': 'Go to month',
  'photos.goToValue': '{month}, {sums}',
  'photos.beside': 'Later and earlier months',
  'photos.later': 'Later: {month}',
  'photos.earlier': 'Earlier: {month}',
  'photos.pastDays': 'On this day',
  'photos.live': 'Live',
  'photos.burst': 'Burst of {count, number}',
  'photos.livePhoto': 'Live Photo',
  'photos.motionPhoto': 'Motion photo',
  'photos.playFilm': 'Play the video',
  'photos.wholeHelp': 'Shown as one. What you share, move, delete or add to an album is all of it:',
  'photos.wholeNote':
    '{count, plural, one {This is for one file.} other {This is for # files: photos together with their videos and bursts.}}',
  'photos.selected': '{count, number} of {total, number} selected: {files, number} files',
  'photos.toast.deleted': '{count, number} files moved to the trash: photos together with their videos and bursts',
  'photos.yearsAgo': '{years, plural, one {# year ago} other {# years ago}}',
} as const;
