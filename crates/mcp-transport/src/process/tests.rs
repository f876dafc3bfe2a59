//! Both ways of noticing an exit, side by side; the rest is tested through the public surface.
