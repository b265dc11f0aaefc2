# sheet.sh OUT FILES...
o=$1; shift; rm -f s-*.png
for f in "$@"; do nice pdftoppm -r 62 -gray -png -f 1 -l 1 ../files/$f.pdf s-$f; done
/usr/bin/python3 - $o <<'P'
import glob,sys
from PIL import Image
ims=[Image.open(f) for f in sorted(glob.glob('s-*.png'))]
ims=[i.crop((0,0,i.width,int(i.height*.72))) for i in ims]
W=530;H=max(i.height for i in ims); c=3; r=(len(ims)+c-1)//c
o=Image.new('L',(W*c,H*r),200)
for k,i in enumerate(ims): o.paste(i,((k%c)*W,(k//c)*H))
o.save(sys.argv[1])
P
