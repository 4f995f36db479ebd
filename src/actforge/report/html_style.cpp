#include "actforge/report/html_style.h"

namespace actforge {
namespace {

// Pictures are drawn for white paper. In the dark they are inverted, which gives the background the colour of
// --paper; turning all hues back keeps blue blue.
constexpr std::string_view kStyle = R"css(
:root{color-scheme:light dark;--paper:#fff;--ink:#222;--soft:#5a5a5a;--line:#d4d4d4;--band:#f6f7f8;--link:#005a8e;
--note:#fff6dc;--note-line:#e0b33c;--button:#fff}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:1em}
body{font:15px/1.5 system-ui,"DejaVu Sans",sans-serif;color:var(--ink);background:var(--paper);max-width:1040px;
margin:0 auto;padding:2em 1.25em 4em;overflow-wrap:anywhere}
h1{font-size:1.7em;line-height:1.25;margin:0 0 .5em}
h2{font-size:1.25em;margin:2.6em 0 .6em;padding-top:.2em}
h3{font-size:1em;margin:1.8em 0 .5em}
p{margin:.5em 0}p,li{max-width:72ch}
a{color:var(--link)}
code,pre,.code{font-family:ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;font-size:.92em}
pre{background:var(--band);border:1px solid var(--line);border-radius:6px;padding:.8em 1em;overflow:auto;max-height:30em;
font-size:13px;line-height:1.45;overflow-wrap:normal}
.soft{color:var(--soft)}
.notes{background:var(--note);border:1px solid var(--note-line);border-left-width:5px;border-radius:6px;
padding:.5em 1em;margin:1em 0}
.notes p{margin:.2em 0}
.figures{display:flex;flex-wrap:wrap;gap:.9em 2.4em;margin:1.4em 0}
.figures div{min-width:5em}.figures dt{color:var(--soft);font-size:13px}
.figures dd{margin:0;font-size:1.35em;font-weight:600;line-height:1.3;font-variant-numeric:tabular-nums}
nav{display:flex;flex-wrap:wrap;gap:.2em 1.3em;padding:.6em 0;border-top:1px solid var(--line);
border-bottom:1px solid var(--line);font-size:14px}
.scroll{overflow:auto;max-height:90vh;margin:.6em 0}
table{border-collapse:collapse;font-size:13px}
th,td{padding:4px 18px 4px 0;text-align:left;vertical-align:baseline;white-space:nowrap;overflow-wrap:normal}
th:last-child,td:last-child{padding-right:6px}th:first-child,td:first-child{padding-left:6px}
thead th{box-shadow:inset 0 -1px var(--soft);vertical-align:bottom;position:sticky;top:0;background:var(--paper)}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
tbody tr:nth-child(even){background:var(--band)}
figure{margin:1em 0}figcaption{color:var(--soft);font-size:13.5px}
figure>svg,.tree>svg{display:block;max-width:100%;height:auto}.tree>svg{overflow:visible}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,400px),1fr));gap:0 1.5em;align-items:start}
.pair figure{margin:.4em 0}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,290px),1fr));gap:1.8em 1.6em;margin:1em 0}
.cards figure{margin:0;min-width:0}
.cards .name{color:var(--ink);margin:.35em 0 .1em}.cards .score{margin:0 0 .4em}
.cards .infix{margin:0 0 .1em}.cards h4{margin:.6em 0 .2em}.cards details{font-size:13px}.cards pre{max-height:18em;font-size:12px;padding:.6em .7em}
.tree{max-height:60em;overflow:auto;border:1px solid var(--line);border-radius:6px;padding:.4em 0}
.narrow{display:none!important}
button,input,select{font:inherit;font-size:13px;color:inherit;background:var(--button);border:1px solid var(--line);
border-radius:5px;padding:.25em .7em;max-width:100%}
button{cursor:pointer}button:hover{border-color:var(--soft)}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.buttons{display:flex;flex-wrap:wrap;gap:.4em;margin:.5em 0}
.tools{font-size:13px;display:flex;flex-wrap:wrap;gap:.5em .9em;align-items:center;margin:.8em 0}
.tools input{flex:1 1 14em;max-width:26em}
th button{border:0;background:none;padding:0;font-weight:600;color:inherit;white-space:nowrap}
th button::after{content:"\2195";opacity:.3;padding-left:.3em}
th[aria-sort=ascending] button::after{content:"\2191";opacity:1}
th[aria-sort=descending] button::after{content:"\2193";opacity:1}
td.wide{white-space:normal;min-width:11em;overflow-wrap:anywhere}td.wide.code{min-width:30em}
.hint{position:fixed;right:1em;bottom:1em;background:var(--note);border:1px solid var(--note-line);border-radius:6px;
padding:.4em .9em;font-size:13px}
[hidden]{display:none!important}
html:not(.script) .needs-script{display:none}
@media screen and (max-width:640px){
body{padding:1.2em .9em 3em}h1{font-size:1.4em}h2{margin-top:2em}
td.wide.code{min-width:17em}
.wide-only{display:none!important}.narrow{display:block!important}.tree.narrow{display:block!important}
.figures{gap:.7em 1.6em}.figures dd{font-size:1.15em}}
@media screen and (prefers-color-scheme:dark){
:root{--paper:#1f1f1f;--ink:#dcdcdc;--soft:#a3a3a3;--line:#3d3d3d;--band:#282a2c;--link:#7cc0f0;--note:#352c12;
--note-line:#8a6d1f;--button:#2b2b2b}
figure>svg,.tree>svg{filter:invert(.9) hue-rotate(180deg) saturate(1.4) brightness(1.2)}
.paper{fill:none}}
@media print{
:root{color-scheme:light}
@page{margin:16mm 14mm}
body{max-width:none;padding:0;font-size:10.5pt}
nav,.tools,.buttons,.cards details,.hint,#more{display:none!important}
h1,h2,h3,h2+p{break-after:avoid}figure,tr,.figures,.notes,.tree>svg{break-inside:avoid}
.scroll,.tree,pre{overflow:visible;max-height:none;border-color:#ccc}pre{white-space:pre-wrap;overflow-wrap:anywhere}
.tree{border:0}
th,td{white-space:normal;padding-right:10px}thead{display:table-header-group}thead th{position:static;box-shadow:none;border-bottom:1px solid #555}
td.wide,td.wide.code{min-width:0}th button{display:none}th[data-title]::before{content:attr(data-title)}
.pair{grid-template-columns:1fr 1fr}.cards{grid-template-columns:repeat(3,1fr);gap:1em}
a{color:inherit;text-decoration:none}}
)css";

}  // namespace

std::string_view html_style() { return kStyle; }

}  // namespace actforge
