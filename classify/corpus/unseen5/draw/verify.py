import json,glob,fitz,re,sys
norm=lambda s:re.sub(r'[^A-Z0-9À-ÿ一-鿿]','',s.upper())
digits=lambda s:re.sub(r'\D','',s)
bad=0
for f in sorted(glob.glob('papers/files/*.json')):
    j=json.load(open(f)); fn='papers/files/'+j['file']
    if not fn.endswith('.pdf') or j['group'] in 'bc': continue
    d=fitz.open(fn)
    if d.needs_pass: assert d.authenticate('')
    assert d.page_count==j['pages'],f
    for D in j['documents']:
        a,b=D.get('pages',[1,j['pages']])
        t=norm(' '.join(d[i].get_text() for i in range(a-1,b))); raw=' '.join(d[i].get_text() for i in range(a-1,b)); dg=digits(raw)
        def ck(k,v):
            global bad
            if isinstance(v,list):
                for r in v:
                    for kk,vv in r.items(): ck(k+'.'+kk,vv)
                return
            if isinstance(v,dict):
                if 'either' in v: return
                xs=[v['name']]+v.get('address','').split(', ')
                for x in xs:
                    if norm(x) not in t: print(j['file'],k,'party missing',x); bad+=1
                return
            if re.match(r'^\d{4}-\d\d-\d\d',v):
                y,m,dd=v[:10].split('-')
                if y not in raw: print(j['file'],k,v); bad+=1
                if not re.search(r'0?'+str(int(dd))+r'\D',raw): print(j['file'],k,v); bad+=1
                if 'T' in v and v[11:] not in raw: print(j['file'],k,v); bad+=1
                return
            if re.match(r'^[A-Z]{2}[A-Z0-9]{3}$',v) and ('port' in k or 'place' in k): 
                return
            if k.endswith(('size_type','freight_terms','scac')): return
            m=re.match(r'^([A-Z]{3} )?(\d+(\.\d+)?)( kg| lb| m3| ft3)?$',v)
            if m and (m[1] or m[4] or '.' in v):
                x=digits(m[2])
                if x not in dg: print(j['file'],k,v); bad+=1
                return
            if norm(v) not in t:
                # description wraps: check words
                w=v.split(); miss=[x for x in w if norm(x) not in t]
                if miss: print(j['file'],D['layout'],k,v); bad+=1
        for k,v in D['fields'].items(): ck(k,v)
print('bad',bad)
