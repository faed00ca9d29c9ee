package org.terrace.middleware.ejb;

import org.terrace.middleware.MiddlewareConformance;

class EjbMiddlewareTest extends MiddlewareConformance {
  EjbMiddlewareTest() {
    super("ejbd", "127.29.1.5");
  }
}
