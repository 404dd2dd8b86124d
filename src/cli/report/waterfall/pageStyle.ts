/** Style of the page; its colours are those of the timeline's pictures. */
export const PAGE_STYLE = `
*{box-sizing:border-box}
html{color-scheme:light dark;background:Canvas}
body{--tint:color-mix(in srgb,var(--throttled) 13%,transparent);--wash:color-mix(in srgb,var(--text) 5%,var(--ground));
  margin:0 auto;padding:28px clamp(14px,3vw,40px) 56px;max-width:1680px;min-height:100vh;background:var(--ground);color:var(--text);font-size:15px;line-height:1.5}
.patterns{position:absolute}
h1{margin:0;font-size:26px;line-height:1.25;font-weight:650;letter-spacing:-.01em}
h2{margin:34px 0 12px;font-size:17px;font-weight:650}
p{margin:4px 0}
a{color:var(--asked)}
.quiet{color:var(--quiet)}
.badge{display:inline-block;margin-left:6px;padding:2px 10px;border:1px solid currentColor;border-radius:99px;font-size:13px;font-weight:600;vertical-align:4px;letter-spacing:0}
.badge.completed{color:var(--answered)}
.badge.running{color:var(--flying)}
.badge.incomplete,.badge.stopped{color:var(--broken)}
.failure{padding:8px 12px;border-left:3px solid var(--broken);background:var(--wash);overflow-wrap:anywhere}
.totals{display:grid;grid-template-columns:repeat(auto-fit,minmax(140px,1fr));gap:1px;margin:18px 0 0;border:1px solid var(--edge);border-radius:10px;overflow:hidden;background:var(--edge)}
.totals div{padding:12px 16px;background:var(--ground)}
.totals dt{color:var(--quiet);font-size:13px}
.totals dd{margin:0;font-size:20px;font-weight:600;font-variant-numeric:tabular-nums;line-height:1.35}
.totals dd.quiet{font-size:13px;font-weight:400}
.totals .bad dd{color:var(--broken)}
.status:empty{display:none}
.status{padding:6px 12px;background:var(--wash);border-radius:6px}
.overview{position:relative;height:64px;border:1px solid var(--edge);border-radius:8px;overflow:hidden;cursor:crosshair;touch-action:pan-y;user-select:none}
.overview svg{display:block;position:absolute;inset:0;overflow:visible}
.in-flight{fill:var(--asked);fill-opacity:.28;stroke:var(--asked);stroke-width:1}
.brush{position:absolute;top:0;bottom:0;border:1px solid var(--asked);background:color-mix(in srgb,var(--asked) 14%,transparent)}
.quota{fill:var(--throttled);fill-opacity:.13}
.refusal{stroke:var(--throttled);stroke-width:1;stroke-dasharray:2 3;stroke-opacity:.75}
.toolbar{display:flex;flex-wrap:wrap;gap:8px 14px;align-items:end;margin:12px 0}
.toolbar label{display:block;color:var(--quiet);font-size:13px}
.toolbar input,.toolbar select,.toolbar button{height:34px;padding:0 10px;border:1px solid var(--edge);border-radius:6px;background:var(--ground);color:inherit;font:inherit;font-size:14px}
.toolbar input::placeholder{color:var(--quiet);opacity:1}
.toolbar input{width:200px}
.zoom{display:flex}
.zoom button{min-width:36px;border-radius:0;margin-left:-1px;cursor:pointer}
.zoom button:first-child{border-radius:6px 0 0 6px}
.zoom button:last-child{border-radius:0 6px 6px 0}
.toolbar button:hover{background:var(--wash)}
.count{margin-left:auto;color:var(--quiet);font-size:14px;line-height:34px;font-variant-numeric:tabular-nums}
:focus-visible{outline:2px solid var(--asked);outline-offset:2px}
.waterfall{position:relative;border:1px solid var(--edge);border-radius:8px;overflow:hidden}
#grid{position:relative;max-height:min(70vh,760px);min-height:120px;overflow-y:auto;overflow-x:hidden;outline-offset:-2px;overscroll-behavior:contain}
.heads{position:sticky;top:0;z-index:3;height:34px;background:var(--ground);border-bottom:1px solid var(--edge)}
.head,.row{display:grid;grid-template-columns:minmax(150px,26%) 158px 84px minmax(0,1fr);align-items:center}
.head{height:33px;color:var(--quiet);font-size:13px}
.back{position:sticky;top:34px;height:0;z-index:0;pointer-events:none}
.back svg,.axis svg{display:block}
.back svg{position:absolute;top:0;left:inherit}
.rows{position:relative;z-index:1}
.row{position:absolute;left:0;right:0;height:28px;cursor:default;font-size:14px}
.row:hover{background:color-mix(in srgb,var(--text) 5%,transparent)}
.row.active{box-shadow:inset 3px 0 var(--asked);background:color-mix(in srgb,var(--text) 8%,transparent)}
.row.step .name{font-style:italic}
.name,.word,.took{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.name{padding-left:14px}
.word{padding-right:8px;color:var(--quiet)}
.took{padding-right:12px;text-align:right;color:var(--quiet);font-variant-numeric:tabular-nums}
.failed .word{color:var(--broken);font-weight:600}
.row .axis,.head .axis{overflow:hidden}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.empty{padding:8px 16px;color:var(--quiet)}
.legend{margin-top:12px}
.key{display:inline-flex;align-items:center;gap:6px;margin-right:18px;color:var(--quiet);font-size:13px}
.key i{width:16px;height:12px}
i.quota{background:color-mix(in srgb,var(--throttled) 18%,transparent)}
i.refusal{width:1px;border-left:1px dashed var(--throttled)}
.keys{font-size:13px}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,230px),1fr));gap:14px;margin:0;padding:0;list-style:none}
.cards button{display:flex;flex-direction:column;gap:2px;width:100%;height:100%;padding:0 0 10px;border:1px solid var(--edge);border-radius:8px;overflow:hidden;background:var(--ground);color:inherit;font:inherit;font-size:14px;text-align:left;cursor:pointer}
.cards button:hover{border-color:var(--quiet)}
.cards button.bad{border-color:var(--broken)}
.cards img,.cards .blank{display:block;width:100%;height:120px;margin-bottom:6px;object-fit:cover;object-position:top;background:var(--wash);border-bottom:1px solid var(--edge)}
.cards .name,.cards .quiet{padding:0 12px;max-width:100%}
.cards .name:first-child{padding-top:10px}
dialog{width:min(860px,calc(100vw - 24px));padding:0;border:1px solid var(--edge);border-radius:12px;background:var(--ground);color:inherit}
dialog::backdrop{background:#0008}
.sheet{position:relative;padding:20px 22px}
.sheet h2{margin:0 44px 4px 0;overflow-wrap:anywhere}
.close{position:absolute;top:14px;right:14px;width:36px;height:36px;border:0;border-radius:8px;background:none;color:inherit;font-size:24px;line-height:1;cursor:pointer}
.close:hover{background:var(--wash)}
.course{margin:14px 0;padding:0 12px}
.course svg{display:block;overflow:visible}
.attempts{overflow-x:auto;border:1px solid var(--edge);border-radius:8px}
.attempts table{width:100%;border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums}
.attempts th,.attempts td{padding:6px 12px;text-align:left;white-space:nowrap}
.attempts th{color:var(--quiet);font-size:13px;font-weight:400}
.attempts td{border-top:1px solid var(--grid)}
.sheet img{display:block;max-width:100%;max-height:50vh;margin-top:14px;border:1px solid var(--edge);border-radius:6px}
@media (max-width:699.9px){
  h1{font-size:21px}
  .totals{grid-template-columns:repeat(2,1fr)}
  .totals div:last-child:nth-child(odd){grid-column:1/-1}
  .cards{grid-template-columns:repeat(2,minmax(0,1fr))}
  .cards img,.cards .blank{height:90px}
  .field{flex:1 1 40%}
  .field:first-child{flex-basis:100%}
  .toolbar input,.toolbar select{width:100%}
  .head .name,.head .word,.head .took{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
  .head{grid-template-columns:minmax(0,1fr)}
  .row{grid-template-columns:minmax(0,1fr) auto 74px;grid-template-rows:24px 30px;height:54px;border-bottom:1px solid var(--grid)}
  .row .axis{grid-column:1/-1}
  .name{padding-left:10px}
  .row .name,.row .word,.row .took{background:var(--ground)}
  .word{max-width:110px}
}
@media (forced-colors:active){.row.active{outline:2px solid Highlight;outline-offset:-2px}}
@media print{
  body{padding:0;max-width:none}
  .toolbar,.keys,.brush{display:none}
  #grid{max-height:none;overflow:visible}
  .waterfall,.overview{overflow:visible}
  .heads{position:static}
  .back{position:absolute}
  .row{break-inside:avoid}
  .cards li{break-inside:avoid}
  *{-webkit-print-color-adjust:exact;print-color-adjust:exact}
}
`;
