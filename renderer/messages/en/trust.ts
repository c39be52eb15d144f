/** Steps to trust this Larder on each device. Names of settings are those of the operating systems. */
export const trust = {
  'trust.title': 'Trust this Larder on each device',
  'trust.help': 'Do this once per device to secure the connection. Until then, browsers show a warning.',
  'trust.count': '{steps, plural, one {# step} other {# steps}}',
  'trust.devices.ios': 'iPhone and iPad',
  'trust.devices.android': 'Android',
  'trust.devices.windows': 'Windows',
  'trust.devices.mac': 'Mac',
  'trust.devices.linux': 'Linux',
  'trust.steps.ios.download': 'In Safari, open {certificate}, continue past the warning, and allow the download.',
  'trust.steps.ios.install': 'In Settings, tap Profile Downloaded at the top, then Install.',
  'trust.steps.ios.compare':
    'Before you confirm, tap More Details and compare the fingerprint with the one shown here.',
  'trust.steps.ios.trust': 'In Settings, General, About, Certificate Trust Settings, turn it on.',
  'trust.steps.android.download': 'In the browser, open {certificate}, continue past the warning, and save the file.',
  'trust.steps.android.install': 'In Settings, search for CA certificate, tap Install anyway, and choose the file.',
  'trust.steps.android.compare':
    'Under Trusted credentials, User, tap it and compare the fingerprint with the one shown here.',
  'trust.steps.windows.download':
    'In a browser, open {certificate} and continue past the warning to download the file. Run certutil -dump larder-ca.crt and compare Cert Hash(sha256) with the fingerprint shown here.',
  'trust.steps.windows.install':
    'Open the file, choose Install Certificate, Current User, and place it in Trusted Root Certification Authorities.',
  'trust.steps.mac.download':
    'In a browser, open {certificate} and continue past the warning to download the file. Open it: Keychain Access adds it to login.',
  'trust.steps.mac.trust':
    'Double-click it there, compare the fingerprint with the one shown here, and under Trust choose Always Trust.',
  'trust.steps.linux.download':
    'Download {certificate}. Run openssl x509 -in larder-ca.crt -noout -fingerprint -sha256 and compare the result with the fingerprint shown here.',
  'trust.steps.linux.programs':
    'For programs: copy it to /usr/local/share/ca-certificates/ and run update-ca-certificates as root.',
  'trust.steps.linux.browser':
    'For a browser: in its settings, under Certificates, Authorities, import it and allow it to identify websites.',
  'trust.phones': 'Phones: scan this code',
  'trust.phonesHelp': 'It opens the address.',
  'trust.qr': 'QR code for {address}',
  'trust.others': 'Other devices: open this address',
  'trust.save': 'Save certificate',
  'trust.file': 'larder-ca.crt',
  'trust.addApp': 'Add app',
} as const;
