"""Pictures of pages: turned, with noise; with OCR; on their side."""
import os, numpy as np
from PIL import Image
TL={'en':'eng','de':'deu','fr':'fra','es':'spa','it':'ita','nl':'nld','pt':'por','zh':'eng'}
def picture(png,h,bw,angle,noise=9):
    im=Image.open(png).convert('L'); im=im.rotate(angle,resample=Image.BICUBIC,fillcolor=255)
    a=np.asarray(im).astype(np.float32); rs=np.random.RandomState(h.randint(0,2**31-1))
    if bw:
        a+=rs.normal(0,14,a.shape); return Image.fromarray(((a>h.randint(135,165))*255).astype(np.uint8)).convert('1')
    yy=np.linspace(0,1,a.shape[0])[:,None]; a=a*.88+18-8*yy+rs.normal(0,noise,a.shape)
    return Image.fromarray(a.clip(0,255).astype(np.uint8))
def g4pdf(im,out,run,tmp,i):
    im.save(out,'PDF',resolution=200)
def scan(r,name,pdf,files,tmp,h,run,lang):
    mode=r.get('mode') or r['job_mode']
    if mode=='rotate':
        out=os.path.join(files,name+'.pdf'); a=r['angle']; run('qpdf',pdf,out,'--rotate=%d:1-z'%a); return out,'; /Rotate %d by qpdf'%a
    if mode=='content':
        out=os.path.join(files,name+'.pdf'); return turned(pdf,out,r['angle'],run,tmp),'; content turned by %d degrees by Ghostscript'%r['angle']
    res=200
    run('pdftoppm','-r',str(res),'-png',pdf,os.path.join(tmp,'pg'))
    pngs=sorted(x for x in os.listdir(tmp) if x.startswith('pg') and x.endswith('.png'))
    ang=h.choice([-1,1])*h.uniform(.3,1.9); ims=[]
    bw=mode.endswith('bw')
    for p in pngs: ims.append(picture(os.path.join(tmp,p),h,bw,ang,5 if r['group']=='c' else 0 if mode=='png' else 7))
    if r['group']=='d': ims=[im.rotate(r['angle'],expand=True) for im in ims]
    desc='; scan of 200 dpi, turned by %.1f degrees, %s'%(ang,'black and white' if bw else 'grey JPEG')
    if r['group']=='d': desc+=', lying turned by %d degrees'%r['angle']
    if mode.startswith('ocr'):
        f=os.path.join(tmp,'s.tif' if bw else 's.jpg')
        if bw: ims[0].save(f,compression='group4',dpi=(200,200))
        else: ims[0].save(f,quality=42,dpi=(200,200))
        env=dict(os.environ,OMP_THREAD_LIMIT='1')
        run('tesseract',f,os.path.join(files,name),'-l',TL[lang],'--dpi','200','pdf',env=env)
        return os.path.join(files,name+'.pdf'),desc+'; text by tesseract'
    if mode in('jpg','png','pngbw'):
        out=os.path.join(files,name+'.'+mode[:3])
        if mode=='jpg': ims[0].save(out,quality=48,dpi=(200,200))
        else: (ims[0] if bw else ims[0].point(lambda v:v//32*32+16).quantize(8,dither=0)).save(out,optimize=True,dpi=(200,200))
        return out,desc.replace('JPEG','') if mode!='jpg' else desc
    out=os.path.join(files,name+'.pdf')
    if bw: ims[0].save(out,'PDF',resolution=200,save_all=True,append_images=ims[1:])
    else: ims[0].save(out,'PDF',resolution=200,quality=48,save_all=True,append_images=ims[1:])
    return out,desc
def turned(pdf,out,a,run,tmp):
    # a page whose content is turned, without /Rotate
    import subprocess
    info=run('pdfinfo',pdf).decode(); w,hh=[float(x) for x in [l for l in info.split('\n') if l.startswith('Page size')][0].split(':')[1].split('pts')[0].split('x')]
    m={90:(hh,w,'90 rotate 0 %g neg translate'%hh),180:(w,hh,'180 rotate %g neg %g neg translate'%(w,hh)),270:(hh,w,'270 rotate %g neg 0 translate'%w)}[a]
    run('gs','-q','-dNOPAUSE','-dBATCH','-sDEVICE=pdfwrite','-dAutoRotatePages=/None','-dDEVICEWIDTHPOINTS=%g'%m[0],'-dDEVICEHEIGHTPOINTS=%g'%m[1],'-dFIXEDMEDIA','-sOutputFile='+out,'-c','<</BeginPage{pop %s}>> setpagedevice'%m[2],'-f',pdf)
    return out
