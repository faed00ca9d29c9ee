package org.terrace.middleware.corba;

import org.junit.jupiter.api.Tag;
import org.terrace.middleware.MiddlewareConformance;

@Tag("real-processes")
@Tag("untimed")
class JacorbMiddlewareTest extends MiddlewareConformance {
  JacorbMiddlewareTest() {
    super("jacorb", "127.29.1.3");
  }
}
