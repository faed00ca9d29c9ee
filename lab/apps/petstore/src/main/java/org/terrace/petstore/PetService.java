package org.terrace.petstore;

import org.terrace.invocation.Read;
import org.terrace.invocation.Update;

/** The service that all seven kinds offer: look a pet up, and take note of it. */
public interface PetService {
  /** Takes note of an interest in the pet; returns how many there were of it by now. */
  @Update
  long note(String pet);

  /** The number of interests in the pet that were noted. */
  @Read
  long query(String pet);
}
