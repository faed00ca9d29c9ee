package org.terrace.middleware.ejb;

import jakarta.ejb.Remote;

/**
 * The remote interface of the bean. The identity is among its arguments: EJB has no place beside
 * them that every container carries.
 */
@Remote
public interface Carrier {
  /** A call and its reply, encoded as in {@link org.terrace.middleware.CallCodec}. */
  byte[] call(long client, long sequence, byte[] request);

  /** A round trip that runs no call. */
  void check();
}
