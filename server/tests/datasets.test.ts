/** A real data set over HTTP, from files without a contract to predictions at once and in batches. */
import { checkDataset, ofRaces } from './datasets.ts';

// Of few labels, since those of all years take long.
checkDataset(ofRaces({ task: 'driver-top3', labelsFrom: '2003-01-01', laterTable: 'qualifying' }));
