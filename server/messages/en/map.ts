/** The map of photos. */
export const mapMessages = {
  'map.heading': 'Map',
  'map.count':
    '{where, select, world {{count, plural, one {# photo with a place} other {# photos with places}}} other {{count, plural, =0 {No photos here} one {# photo here} other {# photos here}}}}',
  'map.empty.heading': 'No photo has a place yet',
  'map.empty.help': 'Phones and some cameras write into a photo where it was taken. Such photos are on the map.',
  'map.source': 'Map: {attribution}. Your browser loads it from {host}, which learns which places you look at here.',
  'map.places': 'Places',
  'map.photos': '{count, plural, one {# photo} other {# photos}}',
  'map.coordinates': '{latitude}° {north, select, yes {N} other {S}}, {longitude}° {east, select, yes {E} other {W}}',
  'map.nearer': 'Zoom in',
  'map.farther': 'Zoom out',
  'map.newest': 'Newest photos here',
  'map.keys': 'The arrow keys move the map, plus and minus zoom, and zero shows the whole world.',
} as const;
