const number = (value: number) => value.toLocaleString('en-GB');
const counted = (value: number, one: string, many: string) => `${number(value)} ${value === 1 ? one : many}`;

/** What the page about files says: homes and their catalogue, trash, versions, thumbnails. */
export const filesTexts = {
  title: 'Files',
  lead: 'Where people’s files are, and what is kept of them.',
  homes: {
    title: 'Homes',
    check: 'Check now',
    checkAll: 'Check all now',
    stopChecking: 'Stop checking',
    stopped: 'Stopped. Every file is checked again within a day.',
    checkHelp:
      'Changes that other programs make are seen as they happen. Once a day every file is compared as well; that can be done at any time.',
    checking: (homes: number) =>
      homes === 1 ? 'The home is being checked.' : `${number(homes)} homes are being checked.`,
    columns: { who: 'Person', state: 'State', items: 'Files and folders', used: 'Takes', actions: 'Actions' },
    states: {
      offline: 'Not connected',
      reading: 'Being read',
      checking: 'Being checked',
      ready: 'Up to date',
      unknown: 'Not read yet',
    },
    unwatched: (folders: number) => `${counted(folders, 'folder', 'folders')} seen every few minutes only`,
    soFar: (items: number) => `${number(items)} so far`,
    orphaned: (username: string) => (username === '' ? 'Nobody' : `Nobody; ${username} before`),
    actionsOf: (path: string) => `Actions for ${path}`,
    openPerson: 'Open person',
    trash: 'Put into the trash',
    forget: 'Forget',
    failed: 'The homes could not be read.',
    empty: 'No homes yet',
    emptyHelp: 'A person’s folder of files stands here.',
    trashTitle: (path: string) => `Put ${path} into the trash?`,
    trashLoss: 'The folder with all its files, versions and deleted items is moved aside. It can be put back.',
    keep: 'Keep it',
    forgetTitle: (path: string) => `Forget ${path}?`,
    forgetLoss:
      'Its disk is not connected. What Larder knows of the files there is lost: comments, tags, versions, links and shares. Files on that disk stay as they are.',
  },
  trashed: {
    title: 'Homes in the trash',
    of: (username: string) => (username === '' ? 'Was nobody’s' : `Was ${username}’s`),
    restore: 'Put back',
    restoreOf: (path: string) => `Put back ${path}`,
    erase: 'Delete for good',
    eraseOf: (path: string) => `Delete for good: ${path}`,
    eraseTitle: (path: string) => `Delete ${path} for good?`,
    eraseLoss: (amount: string) =>
      `All files in it are gone for good, ${amount}, with their versions. Nothing brings them back but a backup.`,
    keep: 'Keep it',
  },
  words: {
    title: 'Search',
    texts: (indexed: number, waiting: number, failed: number) =>
      `The words of ${counted(indexed, 'document', 'documents')} can be searched${waiting > 0 ? `, ${number(waiting)} wait` : ''}${failed > 0 ? `, ${number(failed)} cannot be read` : ''}.`,
    embedded: (indexed: number, waiting: number, failed: number) =>
      `What ${counted(indexed, 'photo or song says', 'photos and songs say')} of themselves is known${waiting > 0 ? `, ${number(waiting)} wait` : ''}${failed > 0 ? `, ${number(failed)} cannot be read` : ''}.`,
  },
  policies: {
    title: 'Trash and versions',
    trash: 'Deleted items stay for',
    trashHelp: '0 keeps them until somebody empties the trash.',
    days: 'days',
    versions: 'Earlier versions of each file',
    versionsHelp: '0 keeps none: what is overwritten goes to the trash.',
    versionsUnit: 'versions',
    versionDays: 'Earlier versions stay for',
    versionDaysHelp: '0 keeps them, however old.',
  },
  places: {
    title: 'Places for homes',
    places: 'Other folders (optional)',
    placesHelp:
      'Administrators can make homes below these, besides the household’s own folder. Whole paths, such as /mnt/photos.',
  },
  thumbnails: {
    title: 'Thumbnails',
    most: 'Take at most',
    mostHelp: 'Those shown longest ago go first; they are made anew when somebody looks.',
    unit: 'MB',
    now: (files: number, amount: string) => `${counted(files, 'thumbnail', 'thumbnails')} now, ${amount}.`,
    clear: 'Delete all',
    cleared: (amount: string) => `Thumbnails are deleted, ${amount}.`,
  },
} as const;
