import sys,fitz,glob,os
from PIL import Image
import io
fs=sys.argv[2:]; W,Hh=760,1000; n=len(fs); cols=3
im=Image.new('RGB',(cols*W,((n+cols-1)//cols)*Hh),'white')
for i,f in enumerate(fs):
    pg=0
    if ':' in f: f,pg=f.split(':'); pg=int(pg)
    if f.endswith('.pdf'):
        d=fitz.open(f); 
        if d.needs_pass: d.authenticate('')
        px=d[pg].get_pixmap(dpi=100); p=Image.open(io.BytesIO(px.tobytes('png')))
    else: p=Image.open(f).convert('RGB')
    p.thumbnail((W-8,Hh-8)); im.paste(p,((i%cols)*W+4,(i//cols)*Hh+4))
im.save(sys.argv[1])
