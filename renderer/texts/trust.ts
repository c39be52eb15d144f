/** How devices are told to trust this Larder. Names of settings are those of the systems. */
export const trustTexts = {
  title: 'Trust this Larder on each device',
  help: 'Once per device, so that it knows the connection is really yours. Until then browsers warn.',
  count: (steps: number) => `${steps} steps`,
  devices: { ios: 'iPhone and iPad', android: 'Android', windows: 'Windows', mac: 'Mac', linux: 'Linux' },
  steps: {
    ios: (certificate: string) => [
      `In Safari, open ${certificate}, go on past the warning, and allow the download.`,
      'In Settings, tap Profile Downloaded at the top, then Install.',
      'Before you confirm, tap More Details and compare the fingerprint with the one here.',
      'In Settings, General, About, Certificate Trust Settings, turn it on.',
    ],
    android: (certificate: string) => [
      `In the browser, open ${certificate}, go on past the warning, and keep the file.`,
      'In Settings, search for CA certificate, tap Install anyway, and choose the file.',
      'Under Trusted credentials, User, tap it and compare the fingerprint with the one here.',
    ],
    windows: (certificate: string) => [
      `Download ${certificate} in a browser, past its warning, and compare what certutil -dump larder-ca.crt says under Cert Hash(sha256) with the fingerprint here.`,
      'Open the file, choose Install Certificate, Current User, and place it in Trusted Root Certification Authorities.',
    ],
    mac: (certificate: string) => [
      `Download ${certificate} in a browser, past its warning, and open it: Keychain Access adds it to login.`,
      'Double-click it there, compare the fingerprint with the one here, and under Trust choose Always Trust.',
    ],
    linux: (certificate: string) => [
      `Download ${certificate} and compare what openssl x509 -in larder-ca.crt -noout -fingerprint -sha256 says with the one here.`,
      'For programs: copy it to /usr/local/share/ca-certificates/ and run update-ca-certificates as root.',
      'For a browser: in its settings, under Certificates, Authorities, import it and let it identify websites.',
    ],
  },
  phones: 'Phones: scan this',
  phonesHelp: 'It opens the address.',
  qr: (address: string) => `A code that leads a camera to ${address}`,
  others: 'Everything else: the address',
  onlyHere: 'Only this computer reaches it, at this address',
  save: 'Save certificate',
  file: 'larder-ca.crt',
  app: 'Add the first app',
  appHelp: 'Give it an ID and a secret.',
  addApp: 'Add app',
} as const;
