import { isHiddenName } from './hidden-names.ts';

/** The file types, each with an icon of its name. */
export const fileTypes = [
  'folder',
  'image',
  'raw',
  'video',
  'audio',
  'text',
  'code',
  'document',
  'spreadsheet',
  'presentation',
  'pdf',
  'archive',
  'ebook',
  'font',
  '3d',
  'other',
] as const;

export type FileType = (typeof fileTypes)[number];

interface FileKind {
  readonly type: FileType;
  readonly description: string;
}

const FOLDER: FileKind = { type: 'folder', description: 'Folder' };
const OTHER: FileKind = { type: 'other', description: 'File' };

/** `extension:description`, grouped by type. The only table for type, icon and description. */
const TABLE: Record<Exclude<FileType, 'folder' | 'other'>, string> = {
  image:
    'jpg:JPEG image|jpeg:JPEG image|jpe:JPEG image|jfif:JPEG image|insp:Insta360 photo|png:PNG image|apng:Animated PNG image|gif:GIF image|webp:WebP image|avif:AVIF image|heic:HEIC image|heif:HEIF image|tif:TIFF image|tiff:TIFF image|bmp:Bitmap image|ico:Icon|svg:SVG drawing|svgz:SVG drawing|jxl:JPEG XL image|jp2:JPEG 2000 image|psd:Photoshop image|xcf:GIMP image|ai:Illustrator drawing|eps:PostScript drawing|kra:Krita image',
  raw: 'dng:Digital negative|cr2:Canon raw photo|cr3:Canon raw photo|crw:Canon raw photo|nef:Nikon raw photo|nrw:Nikon raw photo|arw:Sony raw photo|orf:Olympus raw photo|rw2:Panasonic raw photo|raf:Fujifilm raw photo|pef:Pentax raw photo|srw:Samsung raw photo|3fr:Hasselblad raw photo|x3f:Sigma raw photo',
  video:
    'mp4:MP4 video|m4v:MP4 video|mov:QuickTime video|mkv:Matroska video|webm:WebM video|avi:AVI video|divx:AVI video|wmv:Windows Media video|asf:Windows Media video|mpg:MPEG video|mpeg:MPEG video|mpe:MPEG video|mod:Camcorder video|tod:Camcorder video|mmv:Camcorder video|m2t:MPEG video|mts:AVCHD video|m2ts:AVCHD video|3gp:3GP video|3g2:3GP video|ogv:Ogg video|flv:Flash video|vob:DVD video',
  audio:
    'mp3:MP3 audio|m4a:MPEG-4 audio|m4b:Audiobook|aac:AAC audio|flac:FLAC audio|ogg:Ogg audio|oga:Ogg audio|opus:Opus audio|wav:WAV audio|aif:AIFF audio|aiff:AIFF audio|wma:Windows Media audio|mid:MIDI music|midi:MIDI music|ape:Monkey’s Audio|m3u:Playlist|m3u8:Playlist|pls:Playlist',
  text: 'txt:Text|md:Markdown text|markdown:Markdown text|log:Log|rst:reStructuredText|srt:Subtitles|vtt:Subtitles|nfo:Text|tex:LaTeX source|bib:Bibliography|ics:Calendar|vcf:Contact|eml:E-mail message|readme:Text',
  code: 'html:Web page|htm:Web page|xhtml:Web page|css:Style sheet|js:JavaScript|mjs:JavaScript|cjs:JavaScript|ts:TypeScript|tsx:TypeScript|jsx:JavaScript|json:JSON data|xml:XML data|yml:YAML data|yaml:YAML data|toml:TOML data|ini:Settings|conf:Settings|cfg:Settings|sh:Shell script|bash:Shell script|bat:Batch file|cmd:Batch file|ps1:PowerShell script|py:Python source|rb:Ruby source|php:PHP source|java:Java source|kt:Kotlin source|c:C source|h:C header|cpp:C++ source|hpp:C++ header|cs:C# source|go:Go source|rs:Rust source|swift:Swift source|lua:Lua source|pl:Perl source|r:R source|sql:SQL script|vue:Vue component|svelte:Svelte component|gpx:GPS track|kml:Map data|geojson:Map data',
  document:
    'doc:Word document|docx:Word document|docm:Word document|dot:Word template|dotx:Word template|odt:OpenDocument text|ott:OpenDocument template|rtf:Rich text|pages:Pages document|wps:Works document|wpd:WordPerfect document|xps:XPS document',
  spreadsheet:
    'xls:Excel workbook|xlsx:Excel workbook|xlsm:Excel workbook|xlsb:Excel workbook|ods:OpenDocument spreadsheet|ots:OpenDocument template|csv:Comma-separated values|tsv:Tab-separated values|numbers:Numbers spreadsheet',
  presentation:
    'ppt:PowerPoint presentation|pptx:PowerPoint presentation|pptm:PowerPoint presentation|pps:PowerPoint show|ppsx:PowerPoint show|odp:OpenDocument presentation|otp:OpenDocument template|key:Keynote presentation',
  pdf: 'pdf:PDF document',
  archive:
    'zip:ZIP archive|rar:RAR archive|7z:7-Zip archive|tar:TAR archive|gz:Gzip archive|tgz:TAR archive|bz2:Bzip2 archive|xz:XZ archive|zst:Zstandard archive|lz4:LZ4 archive|cab:Windows archive|iso:Disk image|dmg:Disk image|img:Disk image|jar:Java archive|war:Java archive|apk:Android package|deb:Debian package|rpm:RPM package|msi:Windows installer',
  ebook:
    'epub:EPUB book|mobi:Kindle book|azw:Kindle book|azw3:Kindle book|fb2:FictionBook|djvu:DjVu book|cbz:Comic book|cbr:Comic book',
  font: 'ttf:TrueType font|otf:OpenType font|woff:Web font|woff2:Web font|ttc:Font collection',
  '3d': 'stl:3D model|obj:3D model|gltf:3D scene|glb:3D scene|3mf:3D print|ply:3D model|fbx:3D model|blend:Blender scene|step:CAD model|stp:CAD model|dwg:CAD drawing|dxf:CAD drawing|skp:SketchUp model',
};

const BY_EXTENSION = new Map<string, FileKind>(
  Object.entries(TABLE).flatMap(([type, list]) =>
    list.split('|').map((entry): [string, FileKind] => {
      const [extension = '', description = ''] = entry.split(':');
      return [extension, { type: type as FileType, description }];
    }),
  ),
);

/** The extensions of each type, separated by spaces. */
export function extensionsByType(): Record<string, string> {
  const names = (list: string) => list.split('|').map((entry) => entry.slice(0, entry.indexOf(':')));
  return Object.fromEntries(Object.entries(TABLE).map(([type, list]) => [type, names(list).join(' ')]));
}

/** Lower case and without the dot; empty when the name has none. A leading dot does not begin an extension. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

/** The module file of Go, whose ending is that of the films of camcorders. */
const GO_MODULE = 'go.mod';

export function fileKind(name: string, isDir: boolean): FileKind {
  if (isDir) return FOLDER;
  if (name.toLowerCase() === GO_MODULE) return OTHER;
  // The attributes of a photo are no photo.
  return isHiddenName(name) ? OTHER : (BY_EXTENSION.get(extensionOf(name)) ?? OTHER);
}
