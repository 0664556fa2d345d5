fn main() { if let Some(code) = provoke_cargo::run_as_wrapper_if_asked() { std::process::exit(code) } }
