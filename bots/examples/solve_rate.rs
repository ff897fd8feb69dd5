use std::time::Instant;
fn main() {
    for mb in [1, 4, 16, 64] {
        let t = Instant::now();
        let mut s = bot::solve::Solver::new(mb << 20);
        let t0 = t.elapsed();
        let p = bao_rules::kingulu::Position::START;
        let v = s.value(&p, &mut || false);
        let n = s.nodes();
        let t1 = t.elapsed();
        println!("{mb} MiB {v:?} {n} {t0:?} {t1:?} {:.1} M/s", n as f64 / (t1 - t0).as_secs_f64() / 1e6);
        let v = s.solve(&p, &mut || false);
        println!("{v:?} {} {:?}", s.nodes(), t.elapsed());
    }
}
