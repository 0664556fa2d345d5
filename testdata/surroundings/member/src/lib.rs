//! Does not compile unless the harness sees what the user's build sees: flags, variables, patches, inheritance.

#[cfg(not(surroundings))]
compile_error!("the flag of .cargo/config.toml is missing");

/// From `[env]` in .cargo/config.toml.
pub fn greeting() -> &'static str {
    env!("SURROUNDINGS_GREETING")
}

/// From the build script.
pub fn note() -> &'static str {
    env!("SURROUNDINGS_NOTE")
}

/// From a crate that exists only as a patch.
pub fn patched(n: u32) -> u32 {
    provoke_surroundings_patched::only_in_the_patch(n)
}

/// From another member of the workspace.
pub fn helped(n: u32) -> u32 {
    provoke_surroundings_helper::help(n)
}

/// There unless the default features are switched off.
#[cfg(feature = "usual")]
pub fn usual() -> bool {
    true
}

/// There only if asked for.
#[cfg(feature = "extra")]
pub fn extra(n: u32) -> u32 {
    provoke_surroundings_helper::deep(n)
}
