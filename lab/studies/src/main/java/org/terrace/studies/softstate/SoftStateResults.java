package org.terrace.studies.softstate;

import java.util.List;
import java.util.stream.Stream;

/**
 * Everything a run of the study saw.
 *
 * @param cart figure 4
 * @param crash replicas killed
 * @param staleness figure 5
 * @param pages figures 6 to 8
 */
record SoftStateResults(
    SoftStateParameters parameters,
    List<CartRun> cart,
    CrashRun.Result crash,
    StalenessRun.Result staleness,
    List<PetRun> pages) {

  SoftStateResults {
    cart = List.copyOf(cart);
    pages = List.copyOf(pages);
  }

  /** Figure 4 over one store, by number of clients. */
  List<CartRun> over(Store store) {
    return cart.stream().filter(run -> run.store() == store).toList();
  }

  /** The pet store's runs for one figure. */
  Stream<PetRun> pages(int figure) {
    return pages.stream().filter(run -> run.figure() == figure);
  }
}
