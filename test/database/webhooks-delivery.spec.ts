import { openings } from '../support/deliveries.js';
import { deliveryContract } from '../support/delivery-contract.js';

describe('deliveries dispatched in the process', () => {
  deliveryContract(openings(() => ({})));
});
