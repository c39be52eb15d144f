import type { Rules } from './checker.ts';

/** The layers, and who may import which package. */
export const rules: Rules = {
  layers: {
    'server/': [
      ['lib'],
      ['messages'],
      ['http', 'storage', 'workers', 'tls', 'database', 'config', 'announce'],
      ['settings', 'activity', 'mail'],
      ['accounts'],
      ['oauth', 'catalogue'],
      ['shares', 'fields'],
      ['access'],
      ['files'],
      ['media', 'stars', 'weblinks'],
      ['metadata', 'comments'],
      ['search'],
      ['listing'],
      ['people', 'sharing'],
      ['albums'],
      ['imports'],
      ['web', 'webdav', 'backup', 'tus'],
      ['nextcloud'],
      ['control'],
      ['composition'],
      ['cli'],
      ['cli.ts', 'desktop.ts'],
      ['desktop-cli.ts'],
      ['larder.cts'],
      ['vite.config.ts'],
    ],
    'web-client/': [
      ['lib', 'virtual.d.ts'],
      ['upload', 'photo-viewer'],
      ['account', 'files', 'public-link', 'trust', 'viewer', 'worker'],
      ['photo-backup'],
      ['compile-messages.ts', 'app-icons.ts'],
      ['vite.config.ts'],
    ],
  },
  shared: [
    {
      from: ['web-client/'],
      to: ['server/web/files/map/scale.ts'],
      why: 'the map is moved between views that the server computes',
    },
    {
      from: ['web-client/'],
      to: ['server/web/files/last-seen/seen-list.ts'],
      why: 'the worker keeps what the server sends',
    },
    {
      from: ['web-client/'],
      to: ['server/web/public-links/failure-keys.ts'],
      why: 'a failure reads the same for visitors with and without scripts',
    },
    {
      from: ['web-client/'],
      to: ['server/lib/names/allowed-name.ts', 'server/lib/names/numbered-name.ts'],
      why: 'files from other devices get the names that the server allows',
    },
    {
      from: ['web-client/'],
      to: ['server/lib/names/same-format.ts'],
      why: 'a new version has the format of its file, with and without scripts',
    },
    { from: ['main/', 'renderer/'], to: ['server/control/contract/'], why: 'both ends speak the control contract' },
    {
      from: ['main/', 'renderer/', 'web-client/'],
      to: ['server/lib/async/settled.ts'],
      why: "a failure that is nobody's is ignored in the same way everywhere",
    },
    { from: ['main/', 'renderer/'], to: ['server/lib/messages/'], why: 'every text is an ICU message' },
    { from: ['renderer/'], to: ['server/lib/text/bidi-isolate.ts'], why: 'names are shown in the same way everywhere' },
    {
      from: ['renderer/'],
      to: ['server/lib/names/names.ts'],
      why: 'a proposed user name has the letters by which the server finds the name',
    },
    {
      from: ['renderer/'],
      to: ['server/lib/activity-groups.ts', 'server/messages/en/activity.ts', 'server/messages/en/import-reasons.ts'],
      why: 'what happened, and what imports report, reads the same in the panel and on the pages of people',
    },
    {
      from: ['renderer/'],
      to: ['server/messages/en/api/warnings.ts'],
      why: 'the panel shows these warnings of the server in places of its own',
    },
    {
      from: ['web-client/virtual.d.ts'],
      to: ['server/messages/catalogue.ts', 'server/lib/messages/messages.ts', 'server/lib/names/file-types.ts'],
      why: 'types of what the build takes from the server',
    },
  ],
  builders: ['web-client/vite.config.ts', 'renderer/vite.config.ts'],
  maxLines: 400,
  environment: ['server/config/', 'server/cli.ts', 'server/desktop.ts', 'server/larder.cts', 'main/'],
  packageRules: [
    { packages: ['zod'], places: ['server/', 'main/'], why: 'everywhere: input is checked where it comes in' },
    {
      packages: ['express'],
      places: ['server/composition/serving/routes.ts', 'server/web/', 'server/oauth/token-endpoint.ts'],
      why: 'routes are mounted in routes.ts; http/ and the domains know only Node',
    },
    {
      packages: ['node:async_hooks'],
      places: ['server/lib/concurrency/scope-guard.ts'],
      why: 'once used, every asynchronous step of the process pays for it; it is for test builds',
    },
    {
      packages: ['sequelize'],
      places: [
        'server/database/models.ts',
        'server/database/json-text.ts',
        'server/accounts/account.model.ts',
        'server/accounts/group.model.ts',
        'server/accounts/permissions/role.model.ts',
        'server/oauth/clients/client.model.ts',
      ],
      why: 'models of administrative tables, and what connects them',
    },
    { packages: ['sqlite3'], places: ['server/database/'], why: 'one opener of the database' },
    { packages: ['@node-oauth/oauth2-server'], places: ['server/oauth/'], why: 'the flows live in oauth/' },
    {
      packages: ['selfsigned', '@peculiar/x509', '@peculiar/asn1-schema', '@peculiar/asn1-x509', 'reflect-metadata'],
      places: ['server/tls/'],
      why: 'certificates are made in tls/ only',
    },
    {
      packages: ['@node-rs/argon2'],
      places: [
        'server/accounts/passwords/password-thread.ts',
        'server/accounts/passwords/password-protocol.ts',
        'server/backup/format/passphrase.ts',
      ],
      why: 'one place for passwords, and one for the passphrase of backups',
    },
    {
      packages: ['diff'],
      places: ['server/web/files/versions/'],
      why: 'one place compares texts',
    },
    {
      packages: ['@fastify/busboy', 'qs', 'range-parser', 'fresh', 'ipaddr.js', 'negotiator'],
      places: ['server/http/'],
      why: 'what HTTP says is read in http/',
    },
    {
      packages: ['pdfjs-dist', 'markdown-it'],
      places: ['server/web/viewer/assets.ts', 'web-client/viewer/'],
      why: 'they run in browsers only, in a frame without an origin',
    },
    {
      packages: ['virtual:messages', 'virtual:file-pages', 'virtual:file-types'],
      places: ['web-client/'],
      why: 'what scripts take from the server is put there by the build',
    },
    { packages: ['bonjour-service'], places: ['server/announce/'], why: 'one voice on the local network' },
    {
      packages: ['zip-stream'],
      places: ['server/files/zip/write-zip.ts', 'server/files/zip/zip-times.ts'],
      why: 'one writer of ZIP archives',
    },
    {
      packages: ['otpauth'],
      places: ['server/accounts/sign-in/two-step.ts'],
      why: 'one place for codes of two-step sign-in',
    },
    {
      packages: ['qrcode', 'bowser'],
      places: ['server/web/', 'renderer/parts/trust/qr-code.tsx'],
      why: 'what people see is drawn in web/ and in the panel',
    },
    { packages: ['plist'], places: ['server/web/trust/profile.ts'], why: 'one profile for devices of Apple' },
    { packages: ['nodemailer'], places: ['server/mail/mailer.ts'], why: 'one place that sends mail' },
    {
      packages: ['csv-parse', 'csv-stringify'],
      places: ['server/people/accounts-csv.ts', 'server/web/viewer/csv-table.ts', 'server/imports/icloud/lists.ts'],
      why: 'people are imported and exported as CSV, previews show its cells, and iCloud describes photos in it',
    },
    {
      packages: ['saxes'],
      places: ['server/webdav/xml/parse-xml.ts'],
      why: 'one reader of XML bodies, with its limits',
    },
    { packages: ['cookie'], places: ['server/web/'], why: 'cookies are for pages only' },
    { packages: ['mime'], places: ['server/files/mime-type.ts'], why: 'one table of media types' },
    { packages: ['tlds'], places: ['server/tls/'], why: 'which names a household may not claim' },
    {
      packages: ['pino'],
      places: ['server/lib/log/log.ts', 'server/cli/'],
      why: 'made in lib/log.ts, its destination chosen by the command line',
    },
    {
      packages: ['@noble/hashes'],
      places: ['web-client/photo-backup/hash.ts'],
      why: 'a browser hashes only what is in memory as a whole',
    },
    {
      packages: ['sharp'],
      places: [
        'server/workers/image-worker.ts',
        'server/workers/pictures/',
        // These render our own icons before packages are built, and are not part of them.
        'main/packaging/make-icons.ts',
        'web-client/app-icons.ts',
      ],
      why: 'hostile bytes are decoded in workers',
    },
    {
      packages: ['libheif-js', '@hyzyla/pdfium'],
      places: ['server/workers/image-worker.ts', 'server/workers/pictures/'],
      why: 'hostile bytes are decoded in workers',
    },
    {
      packages: [
        'extract-zip',
        'yauzl',
        'unpdf',
        'chardet',
        'iconv-lite',
        'htmlparser2',
        'exifreader',
        'music-metadata',
      ],
      places: ['server/workers/'],
      why: 'hostile bytes are decoded in workers',
    },
    {
      packages: ['node:child_process'],
      // A worker starts ffmpeg, if it is installed.
      places: ['server/workers/pool/fork-worker.ts', 'server/workers/pictures/video-frame.ts'],
      why: 'the only processes that the server starts are workers',
    },
    {
      packages: ['electron-builder'],
      places: ['main/packaging/'],
      why: 'packages are made by what is no part of them',
    },
    {
      packages: [
        'react',
        'react-dom',
        '@mantine/core',
        '@mantine/hooks',
        '@tanstack/react-query',
        '@tanstack/react-virtual',
        '@tabler/icons-react',
      ],
      places: ['renderer/'],
      why: 'the panel is the only thing that is drawn with them',
    },
    { packages: ['@vitejs/plugin-react'], places: ['renderer/vite.config.ts'], why: 'it builds the panel' },
    {
      packages: ['vite'],
      places: [
        'renderer/vite.config.ts',
        'web-client/vite.config.ts',
        'web-client/compile-messages.ts',
        'web-client/app-icons.ts',
        'server/vite.config.ts',
      ],
      why: 'it builds what browsers run and bundles the server',
    },
    { packages: ['intl-messageformat'], places: ['server/lib/messages/'], why: 'one reader of ICU messages' },
    {
      packages: ['@messageformat/core'],
      places: ['web-client/compile-messages.ts'],
      why: 'browsers get compiled messages and no parser',
    },
    { packages: ['electron'], places: ['main/'], why: 'the server runs without a window' },
    {
      packages: ['node:fs'],
      places: [
        'server/storage/', // the only opener of user files
        'server/tls/files.ts', // keys and certificates
        'server/database/migrate.ts', // the copy before an upgrade
        'server/database/private-file.ts', // the access rights of the database, and what tells it from a copy
        'server/database/shared-memory.ts', // real blocks for the index of the log
        'server/database/read-only-copy.ts', // a copy of a database on a read-only disk
        'server/config/test-build.ts', // whether tests may make the server fail
        'server/control/panel/panel-files.ts', // the built panel
        'server/web/shell/assets/static-assets.ts', // the same on HTTPS
        'server/web/shell/assets/client-files.ts', // the built client of the pages
        'server/control/control-file.ts', // control.json
        'server/control/handlers/licences.ts', // licences of the installed packages
        'server/config/find-program.ts', // installed programs
        'server/lib/program-files.ts', // finds package.json
        'server/lib/version.ts', // reads package.json
        'server/lib/process/open-files.ts', // the limit of this process
        'server/workers/inherited-file.ts', // files that the server opened, read by workers
        'server/workers/archives/write-entry.ts', // archives that the extracting library refuses, in the work area
        'server/workers/text/character-maps.ts', // character maps that are installed with pdf.js
        'server/workers/pool/resident-bytes.ts', // the resident memory of a worker
        'server/lib/process/fail-points.ts', // shows a test that a fail point was reached
        'main/',
        'renderer/vite.config.ts', // licences of the packages in the panel
        'web-client/compile-messages.ts', // which messages the scripts use
        'web-client/app-icons.ts', // the drawing of the icons
      ],
      why: 'files are opened in storage/',
    },
    {
      packages: ['proxy-addr'],
      places: ['server/http/connection/client-address.ts'],
      why: 'who asks is found in one place',
    },
    {
      packages: ['intl-messageformat'],
      places: ['server/lib/messages/'],
      why: 'one place formats the messages of all parts',
    },
    { packages: ['node:process'], places: [], why: 'the environment has one entrance, and the global is that' },
  ],
  exceptions: [],
};
