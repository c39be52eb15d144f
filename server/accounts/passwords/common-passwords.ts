/** Passwords of ten characters and more that are frequent in leaked lists. Shorter ones are refused anyway. */
export const commonPasswords: ReadonlySet<string> = new Set(
  `1234567890 0123456789 0987654321 9876543210 12345678910 123456789a a123456789 123456789q q123456789 123456789z
  1234567891 123456789123 1234512345 1122334455 12341234123 1231231234 123123123123 1212121212 123qweasdzxc
  1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc qwertyuiop qwertyuiop123 qwertyuiop1 qwerty123456 qwerty12345 qwerty1234
  qwertyqwerty asdfghjkl1 asdfghjkl123 zxcvbnm123 zxcvbnm1234 asdfasdfasdf qazwsxedcrfv qazwsxedc123 q1w2e3r4t5
  q1w2e3r4t5y6 abcdefghij abcdefghijk abcd123456 abc1234567 abc123456789 a1b2c3d4e5 aa123456789 password12
  password123 password1234 password12345 password123456 password!1 password1! passwordpassword mypassword
  mypassword1 newpassword changeme123 changemenow letmein123 letmein1234 welcome123 welcome1234 welcome12345
  administrator administrator1 admin12345 admin123456 adminadmin administrador iloveyou12 iloveyou123 iloveyou1234
  iloveyouforever princess123 princess12 football123 baseball123 basketball superman123 batman12345 pokemon123
  sunshine123 sunshine12 michael123 jennifer12 charlie123 liverpool1 liverpool123 manchester chocolate1 chocolate123
  california christopher trustno1234 computer123 internet123 starwars123 minecraft1 minecraft123 samsung123
  blink182blink passw0rd123 p@ssw0rd123 p@ssword123 pa55word123 1111111111 0000000000 1111122222 5555555555
  9999999999 1010101010 0101010101 11223344556 147258369 1472583690 14725836900 741852963 7418529630 159753456
  1357924680 2468013579 1029384756 66666666666 qweqweqwe123 zaq12wsxcde3 zaq1zaq1zaq1 asd123asd123 test123456
  testtest123 test1234567 default123 guest12345 secret1234 secret12345 whatever123 password2024 password2025
  password2026 welcome2024 welcome2025 welcome2026 summer2024! winter2024! spring2025! larder1234 larder12345`
    .split(/\s+/)
    .filter(Boolean),
);
