/** Small enough to be inlined, and simple enough for ten-year-old phones. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--back:#f2f4f9;--card:#fff;--ink:#161c2b;--soft:#566074;--line:#e2e7f0;--blue:#1f4fd8;--tint:#e6edff;--green:#0b7a45;--mint:#def5e8;--red:#b3261e;--rose:#fdeae8;--ground:#e3e7ef;--road:#fff;--water:#bcd6ee}
@media (prefers-color-scheme:dark){:root{--back:#0d111a;--card:#171d2a;--ink:#eef2fa;--soft:#a3aec3;--line:#2a3345;--blue:#8fb1ff;--tint:#1c2a4d;--green:#63d79b;--mint:#12352a;--red:#ffa69e;--rose:#43211f;--ground:#1f2737;--road:#3a4560;--water:#163450}}
*,:before,:after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--back);color:var(--ink);font:17px/1.45 -apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
.wrap{max-width:480px;margin:0 auto;padding:16px 16px 32px}
header{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:center;padding:2px 4px 14px}
.brand{display:flex;align-items:center;font-size:18px;font-weight:700;letter-spacing:-.3px}
.brand img{display:block;max-width:180px;height:36px;object-fit:contain;object-position:left;border-radius:8px}
.brand span{overflow-wrap:anywhere}
.buttons{display:flex;margin:10px -5px 0!important}
.button{flex:1;margin:0 5px;padding:13px 10px;border-radius:14px;background:var(--tint);font-weight:650;text-align:center;text-decoration:none}
.h2{display:block;margin-bottom:8px;font-size:14px;font-weight:600;color:var(--soft)}
textarea{display:block;width:100%;padding:12px 14px;border:1px solid var(--line);border-radius:14px;background:var(--back);color:var(--ink);font:inherit;resize:vertical}
button.button{display:block;width:100%;margin:10px 0;border:0;color:var(--blue);font-family:inherit;font-size:17px;cursor:pointer}
textarea:focus-visible,button:focus-visible{outline:3px solid var(--blue);outline-offset:2px}
.written{white-space:pre-line;overflow-wrap:anywhere}
.address{line-height:1.35;margin-bottom:4px!important}
.brand svg{flex:none;width:26px;height:26px;margin-right:8px}
a{color:var(--blue)}
header a,.quiet{display:inline-block;padding:10px 12px;margin:-10px -12px;border-radius:10px;font-size:15px;font-weight:600;text-decoration:none}
a:focus-visible,summary:focus-visible{outline:3px solid var(--blue);outline-offset:2px}
.hero{padding:26px 22px 24px;border-radius:24px;background:#1f4fd8;background-image:linear-gradient(155deg,#2b61ee,#1a41bd);color:#fff}
.hero h1{margin:16px 0 4px;font-size:28px;line-height:1.16;letter-spacing:-.6px;overflow-wrap:anywhere;text-wrap:balance}
.hero .lead{margin:0;font-size:17px;opacity:.92;overflow-wrap:anywhere}
.badge{display:flex;align-items:center;justify-content:center;width:52px;height:52px;border-radius:16px;background:rgba(255,255,255,.16)}
.icon{width:28px;height:28px;fill:none;stroke:currentColor;stroke-width:1.9;stroke-linecap:round;stroke-linejoin:round}
.hero.delivered{background:#0b7a45;background-image:linear-gradient(155deg,#0b8049,#075f36)}
.hero.cancelled{background:var(--card);background-image:none;color:var(--ink);border:1px solid var(--line)}
.hero.cancelled .badge{background:var(--rose);color:var(--red)}
.progress{display:flex;margin:22px -3px 0}
.progress i{flex:1;height:6px;margin:0 3px;border-radius:3px;background:rgba(255,255,255,.28)}
.progress i.done{background:#fff}
.progress i.now{background:linear-gradient(90deg,#fff 50%,rgba(255,255,255,.28) 50%);background-size:200% 100%;animation:fill 2.4s ease-in-out infinite}
@keyframes fill{0%{background-position:100% 0}70%,100%{background-position:0 0}}
.card{position:relative;margin-top:12px;padding:18px 20px;border-radius:20px;background:var(--card);border:1px solid var(--line)}
.card h2{margin:0 0 4px;font-size:14px;font-weight:600;letter-spacing:0;color:var(--soft)}
.card p{margin:0}
.strong{font-size:19px;font-weight:650;letter-spacing:-.2px;overflow-wrap:anywhere;text-wrap:pretty}
.hours{font-weight:650}
.window{margin:2px 0 4px!important;font-size:38px;line-height:1.15;font-weight:750;letter-spacing:-1px;font-variant-numeric:tabular-nums}
.window i{font-style:normal;font-weight:500;padding:0 5px;color:var(--soft)}
.soft{font-size:15px;color:var(--soft);text-wrap:pretty}
.driver{display:flex;align-items:center}
.initial{flex:none;display:flex;align-items:center;justify-content:center;width:46px;height:46px;margin-right:14px;border-radius:50%;background:var(--tint);color:var(--blue);font-size:20px;font-weight:700}
details{margin:8px 0 10px}
summary{display:flex;align-items:center;justify-content:center;min-height:52px;border-radius:14px;background:var(--tint);color:var(--blue);font-weight:650;cursor:pointer;list-style:none;-webkit-tap-highlight-color:transparent}
summary::-webkit-details-marker{display:none}
#code[open] summary{position:absolute;top:4px;right:8px;min-height:44px;padding:0 12px;background:none;font-size:15px}
.hide,#code[open] .show{display:none}
#code[open] .hide{display:inline}
details form{margin-top:14px}
.photo{display:block;width:100%;min-height:120px;margin-top:10px;border-radius:14px;background:var(--back)}
.contact .buttons+details,.state+details{margin-top:12px}
.card details:last-child{margin-bottom:0}
.state{margin-top:10px!important;padding:12px 16px;border-radius:14px;background:var(--mint);color:var(--green);font-weight:600}
fieldset{margin:0 0 14px;padding:0;border:0;min-width:0}
legend{padding:0}
.choice{display:flex;align-items:center;min-height:46px;padding:8px 14px;margin-bottom:6px;border:1px solid var(--line);border-radius:14px;line-height:1.3}
.choice input{flex:none;width:20px;height:20px;margin:0 12px 0 0;accent-color:var(--blue)}
.digits{display:flex;align-items:center;justify-content:center;min-height:72px;border-radius:14px;background:var(--tint);font-size:40px;font-weight:700;letter-spacing:6px;text-indent:6px;font-variant-numeric:tabular-nums}
.digits [aria-hidden]{-webkit-user-select:all;user-select:all}
.digits b{display:inline-block;width:14px}
.centre{text-align:center;text-wrap:balance}
.qr{display:block;width:232px;max-width:100%;margin:10px auto 12px;border-radius:16px;background:#fff;border:1px solid var(--line)}
.sketch{display:block;width:100%;margin:8px 0 10px;border-radius:14px;background:var(--tint)}
.circles ellipse{fill:none;stroke:var(--blue);stroke-opacity:.2;stroke-width:1.2}
.streets{background:var(--ground)}
.road{fill:none;stroke:var(--road);stroke-linejoin:round}
.water{fill:var(--water);fill-rule:evenodd}
.credit{font-size:8px;fill:var(--soft);text-anchor:end;paint-order:stroke;stroke:var(--ground);stroke-width:2px}
.trail{stroke:var(--blue);stroke-width:2.5;stroke-dasharray:1 7;stroke-linecap:round;fill:none}
.destination circle{fill:var(--card);stroke:var(--blue);stroke-width:2}
.destination path{fill:var(--blue)}
.dot{fill:var(--blue);stroke:var(--card);stroke-width:3}
.pulse{fill:var(--blue);opacity:.25;animation:pulse 2s ease-out infinite}
@keyframes pulse{from{r:8px;opacity:.4}to{r:22px;opacity:0}}
.away{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;margin-bottom:6px!important}
.away .strong{margin-right:12px}
.steps{margin:10px 0 0;padding:0;list-style:none}
.steps li{position:relative;display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;padding:0 0 16px 32px;color:var(--soft)}
.steps li:last-child{padding-bottom:0}
.steps li:before{content:"";position:absolute;left:3px;top:5px;z-index:1;width:14px;height:14px;border-radius:50%;border:2px solid var(--line);background:var(--card)}
.steps li:after{content:"";position:absolute;left:9px;top:19px;bottom:-5px;width:2px;background:var(--line)}
.steps li:last-child:after{display:none}
.steps .done{color:var(--ink)}
.steps .done:before{border-color:var(--blue);background:var(--blue)}
.steps .done:after{background:var(--blue)}
.steps .now{color:var(--ink);font-weight:650}
.steps .now:before{border-color:var(--blue);border-width:4.5px;box-shadow:0 0 0 4px var(--tint)}
.steps .delivered.done:before{border-color:var(--green);background:var(--green)}
.steps .cancelled:before{border-color:var(--red);background:var(--red)}
.steps .name{margin-right:12px;overflow-wrap:anywhere}
.steps time{font-size:15px;font-weight:400;color:var(--soft);font-variant-numeric:tabular-nums}
footer{padding:18px 6px 0;font-size:14px;color:var(--soft)}
footer p{margin:0 0 4px}
.note{margin-top:12px;padding:12px 16px;border-radius:14px;background:var(--rose);color:var(--red);font-size:15px}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0);white-space:nowrap}
[hidden]{display:none}
@media (prefers-reduced-motion:reduce){*{animation:none!important}}
@media (max-width:340px){body{font-size:16px}.hero h1{font-size:24px}.digits{font-size:32px}}
`;
