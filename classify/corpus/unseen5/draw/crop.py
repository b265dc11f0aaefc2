import sys,fitz,io,random,json
from PIL import Image
fs=sys.argv[2:]; W,Hh=1000,900
im=Image.new('RGB',(2*W,((len(fs)+1)//2)*Hh),'white')
for i,f in enumerate(fs):
    f='papers/files/'+f
    j=json.load(open(f[:f.rindex('.')]+'.json'))
    for d in j['documents']: 
        x=json.dumps(d['fields'],ensure_ascii=False)
        print(f[15:],d['type'],d['layout'],d.get('unjudged'),x[:1500]); print()
    if f.endswith('.pdf'):
        d=fitz.open(f); d.needs_pass and d.authenticate(''); p=Image.open(io.BytesIO(d[0].get_pixmap(dpi=130).tobytes('png')))
    else: p=Image.open(f).convert('RGB')
    w=990; p=p.resize((w,int(p.height*w/p.width))).crop((0,0,w,890)); im.paste(p,((i%2)*W,(i//2)*Hh))
im.save(sys.argv[1])
