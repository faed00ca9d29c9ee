package org.terrace.middleware.corba.orb;

import com.sun.corba.ee.spi.transport.Acceptor;
import org.omg.CORBA.ORB;

/**
 * Closes the listening sockets of the GlassFish ORB, which its own destruction leaves open: the
 * system would go on accepting connections that nobody serves, and callers would wait for a reply
 * instead of being refused.
 */
final class GlassfishAcceptors {
  private GlassfishAcceptors() {}

  /** Closes them while the thread that selects among them still runs. */
  static void close(ORB orb) {
    if (orb instanceof com.sun.corba.ee.spi.orb.ORB own) {
      own.getCorbaTransportManager().getAcceptors().forEach(Acceptor::close);
    }
  }
}
