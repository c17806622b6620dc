// swift-format-ignore-file
// Made by web/make-snippet.

extension CopySnippet {
    // A public function stays in every app, whether it is called or not, and so does the text in it. These are compiled into
    // the code that asks for them, so that an app that never does holds none of it.

    @_alwaysEmitIntoClient static var script: String { ###"""
if(!globalThis.ReferralBridge?.payload?.call){let c=e=>{try{e()}catch{}},i=(e,t)=>unescape(encodeURIComponent(e))[t]?e():e,s=({timestamp:e,...t})=>i(btoa(unescape(encodeURIComponent(JSON.stringify({timestamp:+e,...t},["timestamp","referrer",...Object.keys(t).sort().map(a=>(t[a].trim(),a))]).replace(/(\\\\)|\\ud.../g,(a,o="\uFFFD")=>o)))).replace(/\+/g,"-").replace(/\//g,"_").replace(/=/g,""),(e>=1e11&e<1e16&t.referrer>"")*10923),p=(e,t)=>i(e.replace(/(\?[^#]*)?(?=#|$)/,a=>(a.replace("?","&").replace(/&(ed(=[^&]*)?)?(?=&|$)/g,"")+"&ed="+t).replace("&","?")),65536),d=(e,t)=>{let a=!1,o=r=>{r.type=="copy"&&(r.clipboardData.setData("text/plain",e),r.clipboardData.setData("text/uri-list",e),a=!0),r.preventDefault(),r.stopImmediatePropagation()};return addEventListener("copy",o,!0),addEventListener("beforecopy",o,!0),c(()=>{if(document.execCommand("copy"),!a){let r=document.createElement("input"),l=document.activeElement;r.value=e,t.after(r),r.select(),document.execCommand("copy"),r.remove(),l.focus()}}),removeEventListener("copy",o,!0),removeEventListener("beforecopy",o,!0),a||c(()=>navigator.clipboard.writeText(e).catch(c)),t.dispatchEvent(new CustomEvent("referral:copied",{bubbles:!0,composed:!0,detail:{link:e,copied:a}})),a};globalThis.ReferralBridge={link:p,payload:s,copy:d},c(()=>document.addEventListener("click",e=>{e.button||e.composedPath().map(t=>c(()=>{let a={},{dataset:o}=t;if(Object.keys(o).map(r=>/^referral(?!On$)[A-Z]/.test(r)&&o[r]>=""&&(a[r[8].toLowerCase()+r.slice(9)]=o[r])),a.timestamp=Date.now(),a.referrer=o.referrerFrom&&new URL(location).searchParams.get(o.referrerFrom)||o.referrer,/Mac.*5$|iP[aho]/.test(navigator.userAgent+navigator.maxTouchPoints)||o.referralOn=="all"){let r=t.getAttribute("href")??t.href.baseVal;d(p([r.trim(),new URL(r,t.baseURI).href].find(l=>/^(http|itms(-apps)?)s?:\/\/\S+$/i.test(l)),s(a)),t)}}))},!0))}

"""### }
}
