//! How much is left to see, as the summary has it.

use provoke_engine::Outlook;
use provoke_report::DiscoveryEstimate;

pub fn discovery(outlook: Outlook) -> DiscoveryEstimate {
    DiscoveryEstimate {
        probability: outlook.probability(),
        programs: outlook.n_programs,
        singletons: outlook.n_loners,
        new_in_second_half: outlook.n_lately_novel,
        programs_since_new: outlook.n_since_novel,
    }
}
