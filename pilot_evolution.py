import sys, time, numpy as np, json
from agents.evolution.evolution import Evolution, EvolutionPlan, Stage
from agents.evolution.selection import Breeding, Fading
from agents.evolution.trials import trial, seed_of
from agents.recurrent.shape import NetShape, Stack
from agents.astar.play.policy import evolved_policy
from protocol.gamedefs import load_builtin
g=load_builtin("hunl")
opts=dict(a.split("=") for a in sys.argv[1:])
opp=opts.get("opp","O2").split(","); W=int(opts.get("w","50")); P=int(opts.get("p","32")); G=int(opts.get("g","40")); D=int(opts.get("d","250"))
resets=int(opts.get("resets","2")); seed=int(opts.get("seed","1"))
rate=Fading(*map(float,opts.get("rate","0.25,0.05").split(","))); strength=Fading(*map(float,opts.get("strength","0.5,0.1").split(",")))
sh=NetShape(Stack(1,1,10),Stack(1,10,5),(W,W),4,6,9)
stages=opts.get("stages")
S=tuple(Stage(int(x.split(":")[1]),tuple(x.split(":")[0].split("+"))) for x in stages.split("/")) if stages else (Stage(G,tuple(opp)),)
G=sum(x.generations for x in S); opp=list(S[-1].opponents)
plan=EvolutionPlan(sh,S,P,D,Breeding(0.25,rate,strength),seed)
player=lambda genome,s: evolved_policy(sh,genome,resets,s)
e=Evolution(plan,g,player)
t0=time.time()
while not e.done:
    r=e.judge(); f=r.facts(100)
    if e.generation%5==0 or e.generation==G-1: print(e.generation, round(time.time()-t0,1), "mean",round(f["mean_fitness"],3),"best",round(f["best_fitness"],3), f["best_won"], f["mean_won"], flush=True)
    e.renew(r.fitness)
w=trial(g,e.genomes[:3],player,opp,4000,99)
print("test", (w*10).round(0).tolist(), "seconds", round(time.time()-t0))
np.save(f"/work/h/out/best-{'-'.join(opp)}-{W}.npy", e.genomes[:3])
