/// The sentences of a landing page. `{name}` is the app's name, and `{contents}` what the copied link contains.
enum PageSentence: String, CaseIterable {
    /// The button that leads to the store.
    case button
    /// What the button copies, and why.
    case note
    /// The second link, which copies nothing.
    case plain
    /// The message after copying.
    case copied
    /// The title above the QR code.
    case phone
    /// What to do with the code.
    case scan
    /// The text alternative of the code.
    case code

    /// The languages of the translations.
    static var languages: [String] { translations.keys.sorted() }
}

extension PageSentence {
    static let translations: [String: [PageSentence: String]] = [
        "en": [
            .button: "Get {name} on the App Store",
            .note: """
            On iPhone and iPad the button also copies a link, so that {name} knows who sent you when you first open it. \
            The link takes the place of what is on your clipboard. It holds {contents} and the time of your tap, nothing else.
            """,
            .plain: "Open the App Store without copying",
            .copied: "The link is on your clipboard. Open {name} within five minutes; it may ask to paste.",
            .phone: "Continue on your iPhone",
            .scan: "Point its camera at this code, and the page opens there.",
            .code: "QR code of this page’s address",
        ],
        "de": [
            .button: "{name} im App Store laden",
            .note: """
            Auf iPhone und iPad kopiert die Taste auch einen Link, damit {name} beim ersten Öffnen weiß, wer dich geschickt \
            hat. Der Link ersetzt, was in deiner Zwischenablage ist. Er enthält {contents} und den Zeitpunkt deines Tippens, \
            sonst nichts.
            """,
            .plain: "App Store öffnen, ohne zu kopieren",
            .copied: """
            Der Link ist in deiner Zwischenablage. Öffne {name} innerhalb von fünf Minuten; vielleicht fragt die App, ob sie \
            ihn einsetzen darf.
            """,
            .phone: "Weiter auf dem iPhone",
            .scan: "Richte seine Kamera auf diesen Code, dann öffnet sich die Seite dort.",
            .code: "QR-Code mit der Adresse dieser Seite",
        ],
        "fr": [
            .button: "Télécharger {name} dans l’App Store",
            .note: """
            Sur iPhone et iPad, le bouton copie aussi un lien, pour que {name} sache à la première ouverture qui vous envoie. \
            Ce lien remplace le contenu de votre presse-papiers. Il contient {contents} et l’heure de votre geste, rien d’autre.
            """,
            .plain: "Ouvrir l’App Store sans copier",
            .copied: """
            Le lien est dans votre presse-papiers. Ouvrez {name} dans les cinq minutes ; l’app demandera peut-être \
            l’autorisation de coller.
            """,
            .phone: "Continuer sur votre iPhone",
            .scan: "Dirigez son appareil photo vers ce code : la page s’y ouvrira.",
            .code: "Code QR de l’adresse de cette page",
        ],
        "es": [
            .button: "Descargar {name} en el App Store",
            .note: """
            En el iPhone y el iPad, el botón también copia un enlace para que {name} sepa, al abrirse por primera vez, quién \
            te envía. El enlace sustituye lo que haya en tu portapapeles. Contiene {contents} y la hora de tu toque, nada más.
            """,
            .plain: "Abrir el App Store sin copiar",
            .copied: """
            El enlace está en tu portapapeles. Abre {name} en los próximos cinco minutos; puede que te pida permiso para pegar.
            """,
            .phone: "Continúa en tu iPhone",
            .scan: "Apunta con su cámara a este código y la página se abrirá allí.",
            .code: "Código QR con la dirección de esta página",
        ],
        "it": [
            .button: "Scarica {name} su App Store",
            .note: """
            Su iPhone e iPad il pulsante copia anche un link, così alla prima apertura {name} saprà chi ti ha mandato. Il link \
            prende il posto di ciò che hai negli appunti. Contiene {contents} e l’ora del tuo tocco, nient’altro.
            """,
            .plain: "Apri App Store senza copiare",
            .copied: "Il link è negli appunti. Apri {name} entro cinque minuti; potrebbe chiederti di incollare.",
            .phone: "Continua su iPhone",
            .scan: "Inquadra questo codice con la sua fotocamera e la pagina si aprirà lì.",
            .code: "Codice QR con l’indirizzo di questa pagina",
        ],
        "pt": [
            .button: "Obter {name} na App Store",
            .note: """
            No iPhone e no iPad, o botão também copia um link, para que {name} saiba, ao abrir pela primeira vez, quem enviou \
            você. O link substitui o que está na sua área de transferência. Contém {contents} e a hora do seu toque, nada mais.
            """,
            .plain: "Abrir a App Store sem copiar",
            .copied: """
            O link está na sua área de transferência. Abra {name} em até cinco minutos; pode aparecer um pedido de permissão \
            para colar.
            """,
            .phone: "Continue no seu iPhone",
            .scan: "Aponte a câmera dele para este código, e a página abrirá lá.",
            .code: "Código QR com o endereço desta página",
        ],
        "nl": [
            .button: "Download {name} in de App Store",
            .note: """
            Op iPhone en iPad kopieert de knop ook een link, zodat {name} bij de eerste keer openen weet wie je heeft \
            gestuurd. De link komt in de plaats van wat er op je klembord staat. Hij bevat {contents} en het tijdstip van je \
            tik, verder niets.
            """,
            .plain: "Open de App Store zonder te kopiëren",
            .copied: """
            De link staat op je klembord. Open {name} binnen vijf minuten; de app vraagt misschien of hij mag plakken.
            """,
            .phone: "Ga verder op je iPhone",
            .scan: "Richt de camera ervan op deze code, dan opent de pagina daar.",
            .code: "QR-code met het adres van deze pagina",
        ],
        "ja": [
            .button: "App Storeで{name}を入手",
            .note: """
            iPhoneとiPadでは、このボタンを押すとリンクもコピーされます。{name}を初めて開いたときに、どなたの紹介かが\
            アプリに伝わるようにするためです。クリップボードの内容はこのリンクに置き換わります。リンクに含まれるのは\
            {contents}とタップした時刻だけです。
            """,
            .plain: "コピーせずにApp Storeを開く",
            .copied: "リンクをコピーしました。5分以内に{name}を開いてください。ペーストの許可を求められることがあります。",
            .phone: "iPhoneで続ける",
            .scan: "iPhoneのカメラをこのコードに向けると、このページが開きます。",
            .code: "このページのアドレスのQRコード",
        ],
        "ko": [
            .button: "App Store에서 {name} 받기",
            .note: """
            iPhone과 iPad에서는 이 버튼을 누르면 링크도 복사됩니다. {name} 앱을 처음 열 때 누구의 소개인지 앱이 알 수 있게 \
            하기 위해서입니다. 클립보드에 있던 내용은 이 링크로 바뀝니다. 링크에는 {contents} 및 탭한 시각만 들어 있습니다.
            """,
            .plain: "복사하지 않고 App Store 열기",
            .copied: "링크가 복사되었습니다. 5분 안에 {name} 앱을 여세요. 앱이 붙여넣기 허용을 요청할 수 있습니다.",
            .phone: "iPhone에서 계속하기",
            .scan: "iPhone 카메라로 이 코드를 비추면 페이지가 열립니다.",
            .code: "이 페이지 주소의 QR 코드",
        ],
        "zh": [
            .button: "在 App Store 获取 {name}",
            .note: """
            在 iPhone 和 iPad 上，此按钮还会拷贝一个链接，让 {name} 在首次打开时知道是谁推荐了你。该链接会取代剪贴板上的\
            内容，其中只有 {contents} 和你轻点的时间，别无其他。
            """,
            .plain: "打开 App Store，但不拷贝",
            .copied: "链接已拷贝到剪贴板。请在五分钟内打开 {name}，它可能会请求粘贴。",
            .phone: "在 iPhone 上继续",
            .scan: "将 iPhone 相机对准此二维码，即可在 iPhone 上打开本页。",
            .code: "本页网址的二维码",
        ],
        "zh-Hant": [
            .button: "在 App Store 取得 {name}",
            .note: """
            在 iPhone 和 iPad 上，此按鈕還會拷貝一個連結，讓 {name} 在首次開啟時知道是誰推薦了你。這個連結會取代剪貼板上的\
            內容，其中只有 {contents} 和你點按的時間，別無其他。
            """,
            .plain: "打開 App Store，但不拷貝",
            .copied: "連結已拷貝到剪貼板。請在五分鐘內打開 {name}，它可能會要求貼上。",
            .phone: "在 iPhone 上繼續",
            .scan: "將 iPhone 相機對準此 QR Code，即可在 iPhone 上打開本頁。",
            .code: "本頁網址的 QR Code",
        ],
        "ar": [
            .button: "احصل على {name} من App Store",
            .note: """
            على iPhone وiPad ينسخ هذا الزر رابطًا أيضًا، ليعرف {name} عند فتحه لأول مرة من الذي أرسلك. يحل الرابط محل ما في \
            حافظتك، ولا يحتوي إلا على {contents} ووقت ضغطتك.
            """,
            .plain: "افتح App Store من دون نسخ",
            .copied: "الرابط الآن في حافظتك. افتح {name} خلال خمس دقائق؛ فقد يطلب الإذن باللصق.",
            .phone: "تابع على iPhone",
            .scan: "وجّه كاميرا iPhone نحو هذا الرمز لتُفتح الصفحة عليه.",
            .code: "رمز QR لعنوان هذه الصفحة",
        ],
        "he": [
            .button: "להורדת {name} מ-App Store",
            .note: """
            ב-iPhone וב-iPad הכפתור גם מעתיק קישור, כדי שהאפליקציה {name} תדע בפתיחה הראשונה מי שלח אותך. הקישור מחליף את מה \
            שנמצא בלוח שלך, ומכיל רק את {contents} ואת מועד ההקשה.
            """,
            .plain: "פתיחת App Store בלי להעתיק",
            .copied: "הקישור נמצא עכשיו בלוח. יש לפתוח את {name} תוך חמש דקות; ייתכן שתתבקש הרשאה להדבקה.",
            .phone: "ממשיכים ב-iPhone",
            .scan: "מכוונים את המצלמה שלו אל הקוד, והדף נפתח שם.",
            .code: "קוד QR של כתובת הדף",
        ],
    ]
}
