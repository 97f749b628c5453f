/**
 * Polls the changing part of the page and replaces it when it has changed. Written for old browsers: no module, nothing
 * newer than fetch. Browsers without fetch reload the page.
 */
export const PAGE_SCRIPT = `
(function(){
var d=document,live=d.getElementById('live'),status=d.getElementById('status'),offline=d.getElementById('offline'),clock=d.getElementById('clock');
var tag=live.getAttribute('data-tag'),url=live.getAttribute('data-state'),failures=0,timer=0;
function every(){return +live.firstElementChild.getAttribute('data-every')}
function again(seconds){clearTimeout(timer);if(seconds)timer=setTimeout(poll,seconds*1000)}
function stamp(){if(clock)clock.textContent=new Date().toLocaleTimeString(d.documentElement.lang,{hour:'2-digit',minute:'2-digit',timeZone:clock.getAttribute('data-zone')})}
function ago(){
  var all=d.querySelectorAll('time[data-ago]'),fr=d.documentElement.lang==='fr',i,s,t;
  for(i=0;i<all.length;i++){
    s=Math.max(0,Math.round((Date.now()-Date.parse(all[i].getAttribute('datetime')))/1000));
    t=s<60?s+' s':Math.floor(s/60)+' min';
    all[i].textContent=fr?'il y a '+t:t+' ago';
  }
}
function note(){var form=d.getElementById('note-card');if(form)form.hidden=!live.firstElementChild.hasAttribute('data-note')}
function replace(text){
  var open=d.querySelector('#code[open]'),focused=open&&open.contains(d.activeElement),before=d.querySelector('h1').textContent,now;
  live.innerHTML=text;note();
  now=d.getElementById('code');
  if(open&&now){now.setAttribute('open','');if(focused)now.querySelector('summary').focus()}
  if(d.querySelector('h1').textContent!==before)status.textContent=d.querySelector('h1').textContent;
  ago();
}
function failed(){
  failures++;
  if(failures>1)offline.hidden=false;
  again(Math.min(120,(every()||20)*Math.pow(2,failures-1)));
}
function poll(){
  if(d.hidden)return;
  fetch(url,{headers:{'If-None-Match':tag},cache:'no-store'}).then(function(r){
    if(r.status===404||r.status===410){location.reload();return}
    if(r.status!==200&&r.status!==304){failed();return}
    return (r.status===200?r.text():Promise.resolve(null)).then(function(text){
      if(text!==null){tag=r.headers.get('ETag');replace(text)}
      failures=0;offline.hidden=true;stamp();again(every());
    });
  }).catch(failed);
}
if(!window.fetch){if(every())setTimeout(function(){location.reload()},60000);return}
d.addEventListener('visibilitychange',function(){if(!d.hidden&&every())poll()});
window.addEventListener('online',function(){if(every())poll()});
ago();setInterval(ago,5000);again(every());
})();
`;
